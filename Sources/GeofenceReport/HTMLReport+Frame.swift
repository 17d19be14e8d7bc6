extension HTMLReport {
  /// The elements that the script fills: the map, the explanation beside it, and the states over time.
  static let pictureFrame = """
    <noscript><p class="note">The map and the states over time need JavaScript, which this browser \
    has turned off. The tables below hold the rest.</p></noscript>
    <div id="picture" hidden>
    <section id="mapping" aria-labelledby="map-title">
    <h2 id="map-title" class="unseen">Map</h2>
    <div id="frame">
    <svg id="map" tabindex="0" role="application" aria-describedby="map-keys" \
    aria-label="Map of the track, the conditions and the events"></svg>
    <p id="map-keys" class="unseen">Arrow keys move the map, plus and minus magnify it, 0 shows \
    everything, N and P go to the next and the previous event.</p>
    <div id="zoom" role="group" aria-label="Map view">
    <button type="button" data-zoom="in" aria-label="Magnify" title="Magnify (+)">+</button>
    <button type="button" data-zoom="out" aria-label="Reduce" title="Reduce (−)">−</button>
    <button type="button" data-zoom="all" aria-label="Show everything" \
    title="Show everything (0)">⤢</button>
    </div>
    <div id="north" aria-hidden="true">N</div>
    <div id="readout" aria-hidden="true"></div>
    <div id="scale" aria-hidden="true"><b></b><span></span></div>
    </div>
    <div id="legend">
    <fieldset><legend class="unseen">Colour of the track</legend>
    <label><input type="radio" name="colour" value="speed" checked> Speed</label>
    <label><input type="radio" name="colour" value="accuracy"> Accuracy</label>
    </fieldset>
    <ol id="ramp"></ol>
    <ul id="signs"></ul>
    </div>
    </section>
    <aside id="explanation" aria-live="polite" aria-labelledby="explanation-title">
    <div id="steps">
    <button type="button" data-step="-1" aria-label="Previous event">‹</button>
    <h2 id="explanation-title">Events</h2>
    <button type="button" data-step="1" aria-label="Next event">›</button>
    </div>
    <div id="explained"></div>
    </aside>
    <section id="states" aria-labelledby="states-title">
    <h2 id="states-title">States over time</h2>
    <ul id="state-signs"></ul>
    <div id="rows"></div>
    </section>
    </div>

    """
}
