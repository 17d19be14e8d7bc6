'use strict';
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const find = (selector) => document.querySelector(selector);
  const SVG = 'http://www.w3.org/2000/svg';

  /** An element with attributes and children; a text becomes a text, never markup. */
  function make(name, attributes = {}, ...children) {
    const isDrawn = make.drawn.has(name);
    const element = isDrawn ? document.createElementNS(SVG, name) : document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  }
  make.drawn = new Set(['svg', 'g', 'path', 'circle', 'text', 'rect']);

  // What each kind of event looks like: known by its outline, not by its colour.
  const shapes = {
    entered: ['M-6-4.5H6L0 6Z', true],
    exited: ['M-6 4.5H6L0-6Z', false],
    determined: ['M-4.5 0A4.5 4.5 0 1 0 4.5 0A4.5 4.5 0 1 0-4.5 0Z', true],
    undetermined: ['M-5.5 0A5.5 5.5 0 1 0 5.5 0A5.5 5.5 0 1 0-5.5 0Z', false],
    crossed: ['M0-6.5L6.5 0L0 6.5L-6.5 0Z', false],
    unmonitored: ['M-5-5H5V5H-5ZM-5-5L5 5M-5 5L5-5', false],
  };

  function sign(kind) {
    const [outline, isFilled] = shapes[kind] || shapes.determined;
    return [
      make('path', { class: 'under', d: outline }),
      make('path', { class: isFilled ? 'sign filled' : 'sign', d: outline }),
    ];
  }
  const icon = (kind) => make('svg', { viewBox: '-9 -9 18 18', 'aria-hidden': 'true' }, ...sign(kind));

  // MARK: Numbers for people

  const pad = (number) => String(number).padStart(2, '0');
  function clock(milliseconds, withDate = data.length > 864e5, withSeconds = true) {
    const date = new Date(data.began + data.ahead + milliseconds);
    const time = pad(date.getUTCHours()) + ':' + pad(date.getUTCMinutes())
      + (withSeconds ? ':' + pad(date.getUTCSeconds()) : '');
    return (withDate ? date.toISOString().slice(0, 10) + ' ' : '') + time;
  }
  const metres = (value) => value >= 1000 ? Number((value / 1000).toPrecision(3)) + ' km'
    : Number(value.toFixed(value < 9.95 ? 1 : 0)) + ' m';
  const kilometres = (value) => Math.round(value * 3.6) + ' km/h';

  /** The largest of 1, 2, 5, 10, … that isn't above a number. */
  function round(value) {
    const power = 10 ** Math.floor(Math.log10(value));
    return power * (value >= 5 * power ? 5 : value >= 2 * power ? 2 : 1);
  }

  // MARK: The map

  const map = find('#map');
  const world = make('g');
  const layers = {};
  for (const name of ['grid', 'fences', 'doubts', 'track', 'rejections']) {
    layers[name] = make('g', { class: name });
  }
  world.append(layers.fences, layers.doubts, layers.track, layers.rejections);
  const names = make('g', { class: 'names' });
  const marks = make('g', { class: 'marks' });
  const cursor = make('circle', { class: 'cursor', r: 6, visibility: 'hidden' });
  const grid = make('path', { class: 'grid' });
  map.append(grid, world, names, marks, cursor);

  const view = { x: 0, y: 0, scale: 1 };
  let size = { width: 1, height: 1 };
  let isDrawing = false;

  const toScreen = (x, y) => [
    (x - view.x) * view.scale + size.width / 2, (y - view.y) * view.scale + size.height / 2,
  ];

  function measure() {
    const box = map.getBoundingClientRect();
    size = { width: Math.max(box.width, 1), height: Math.max(box.height, 1) };
  }
  function limited(scale) { return Math.min(Math.max(scale, view.least / 8), 200); }
  function fit() {
    const [x, y, halfWidth, halfHeight] = data.view.length ? data.view : [0, 0, 100, 100];
    // The buttons at the right edge hide nothing of it.
    const room = Math.min(52, size.width / 6);
    const scale = Math.min((size.width - room) / 2 / halfWidth, size.height / 2 / halfHeight);
    const aside = Math.max(0, room - (size.width / 2 - halfWidth * scale)) / scale;
    view.least = scale;
    Object.assign(view, { x: x + aside, y, scale: limited(scale), isWhole: true });
    redraw();
  }
  /** Where the map stays as it is when keys and buttons magnify it: at the event that is shown. */
  function anchor() {
    const event = data.events[shown];
    const [x, y] = event && event.x !== undefined ? toScreen(event.x, event.y) : [-1, -1];
    return x >= 0 && x <= size.width && y >= 0 && y <= size.height
      ? [x, y] : [size.width / 2, size.height / 2];
  }
  function zoom(factor, x, y) {
    if (x === undefined) [x, y] = anchor();
    const scale = limited(view.scale * factor);
    view.x += (x - size.width / 2) * (1 / view.scale - 1 / scale);
    view.y += (y - size.height / 2) * (1 / view.scale - 1 / scale);
    Object.assign(view, { scale, isWhole: false });
    redraw();
  }
  function move(x, y) {
    view.x -= x / view.scale;
    view.y -= y / view.scale;
    view.isWhole = false;
    redraw();
  }
  function redraw() {
    if (isDrawing) return;
    isDrawing = true;
    requestAnimationFrame(() => { isDrawing = false; draw(); });
  }

  function draw() {
    const [x, y] = toScreen(0, 0);
    world.setAttribute('transform', `translate(${x} ${y}) scale(${view.scale})`);
    drawGrid();
    data.events.forEach((event, index) => {
      if (event.x === undefined) return;
      const [left, top] = toScreen(event.x, event.y);
      onMap[index].setAttribute('transform', `translate(${left} ${top})`);
    });
    placeNames();
    placeCursor();
    placeRejections();
  }

  function drawGrid() {
    const step = round(100 / view.scale);
    const [left, top] = [view.x - size.width / 2 / view.scale, view.y - size.height / 2 / view.scale];
    let path = '';
    for (let x = Math.ceil(left / step) * step; ; x += step) {
      const [at] = toScreen(x, 0);
      if (!(at < size.width)) break;
      path += `M${at.toFixed(1)} 0V${size.height}`;
    }
    for (let y = Math.ceil(top / step) * step; ; y += step) {
      const [, at] = toScreen(0, y);
      if (!(at < size.height)) break;
      path += `M0 ${at.toFixed(1)}H${size.width}`;
    }
    grid.setAttribute('d', path);
    find('#scale b').textContent = metres(step);
    find('#scale span').style.width = step * view.scale + 'px';
  }

  // MARK: Conditions

  const outlines = new Map();
  data.fences.forEach((fence) => {
    const group = make('g', { class: 'fence' });
    const area = make('path', { class: fence.width ? 'area lines' : 'area', d: fence.area });
    if (fence.width) area.setAttribute('stroke-width', fence.width);
    const edge = make('path', {
      class: fence.width ? 'edge lines' : 'edge', d: fence.width ? fence.area : fence.edge,
    });
    group.append(area, edge);
    group.addEventListener('pointerenter', () => { point(fence); });
    group.addEventListener('pointerleave', () => { point(null); });
    layers.fences.append(group);
    outlines.set(fence, group);
  });

  let pointed = null;
  function point(fence) {
    pointed = fence;
    light();
    say(fence ? `${fence.name}: ${fence.about}` : '');
  }
  /** Which condition is lit: the one pointed at, else that of the event that is shown. */
  function light() {
    const row = pointed ? pointed.row : shown >= 0 ? data.events[shown].row : -1;
    for (const [fence, group] of outlines) {
      group.classList.toggle('on', fence === pointed || (row >= 0 && fence.row === row));
    }
    rows.forEach((element, own) => element.classList.toggle('on', own === row));
  }

  const labels = data.fences.slice().reverse().map((fence) => {
    const label = make('text', {}, fence.name);
    names.append(label);
    return { fence, label, width: fence.name.length * 7.2 + 8 };
  });
  function placeNames() {
    const taken = [];
    for (const { fence, label, width } of labels) {
      const [place, middle] = toScreen(fence.x, fence.y);
      // What reaches into the map has its name there.
      const reach = fence.size * view.scale / 2;
      const isSeen = place + reach > 0 && place - reach < size.width;
      const x = isSeen ? Math.max(width / 2, Math.min(place, size.width - width / 2)) : place;
      // Above the shape; where that is out of sight, at the upper edge of the map.
      const [, top] = toScreen(fence.x, fence.top);
      const y = Math.max(top - 10, Math.min(middle, 16));
      const box = [x - width / 2, y - 9, x + width / 2, y + 9];
      const isFree = fence.size * view.scale > 10 && box[2] > 0 && box[0] < size.width
        && box[3] > 0 && box[1] < size.height
        && !taken.some((other) => box[0] < other[2] && other[0] < box[2]
          && box[1] < other[3] && other[1] < box[3]);
      label.setAttribute('visibility', isFree ? 'visible' : 'hidden');
      if (!isFree) continue;
      taken.push(box);
      label.setAttribute('x', x);
      label.setAttribute('y', y + 4);
    }
  }

  // MARK: The track

  const { track } = data;
  const gaps = new Set(track.gaps);
  const steps = 6;

  /** Steps that a person would choose, which most of the values lie between. */
  function ramp(values) {
    const known = values.filter((value) => value !== null && value !== undefined).sort((a, b) => a - b);
    if (!known.length) return null;
    const high = known[Math.floor((known.length - 1) * 0.98)];
    let step = round(Math.max(high, 1e-3) / steps);
    for (const factor of [1, 1.5, 2, 2.5, 4, 5]) {
      const isRound = step < 1 || Number.isInteger(step * factor);
      if (isRound && step * factor * steps >= high) { step *= factor; break; }
    }
    return step;
  }
  function drawTrack() {
    const isSpeed = find('input[name=colour]:checked').value === 'speed';
    const values = isSpeed ? track.speed.map((value) => value === null ? null : value * 3.6) : track.accuracy;
    const step = ramp(values);
    const paths = Array(steps + 1).fill('');
    let casing = '';
    let gap = '';
    let last = -1;
    for (let index = 1; index < track.x.length; index++) {
      const from = `M${track.x[index - 1]} ${track.y[index - 1]}`;
      const to = `L${track.x[index]} ${track.y[index]}`;
      if (gaps.has(index)) { gap += from + to; last = -1; continue; }
      const [a, b] = [values[index - 1], values[index]];
      const value = a === null ? b : b === null ? a : (a + b) / 2;
      const run = value === null || step === null ? steps
        : Math.min(steps - 1, Math.floor(value / step));
      paths[run] += (run === last ? '' : from) + to;
      casing += (last < 0 ? from : '') + to;
      last = run;
    }
    layers.track.replaceChildren();
    const add = (name, d) => { if (d) layers.track.append(make('path', { class: name, d })); };
    add('gap', gap);
    add('casing', casing);
    paths.forEach((d, run) => add(run < steps ? `run b${run}` : 'none', d));
    if (track.x.length === 1) {
      layers.track.append(make('circle', { class: 'run b0', cx: track.x[0], cy: track.y[0], r: 1 }));
    }
    const legend = find('#ramp');
    legend.replaceChildren();
    if (step !== null) {
      const unit = isSpeed ? 'km/h' : 'm';
      for (let run = 0; run < steps; run++) {
        const least = Number((run * step).toPrecision(3));
        const item = make('li', {}, run < steps - 1 ? `${least}` : `${least}+ ${unit}`);
        item.style.setProperty('--own', `var(--c${run})`);
        legend.append(item);
      }
      legend.setAttribute('aria-label', isSpeed ? 'Speed in kilometres per hour'
        : 'Radius in metres that holds the position with 68 %');
    } else if (track.x.length) {
      legend.append(`The receiver reported no ${isSpeed ? 'speed' : 'accuracy'}.`);
    }
  }
  for (const input of document.querySelectorAll('input[name=colour]')) {
    input.addEventListener('change', drawTrack);
  }

  const crosses = data.rejections.map((rejection) => {
    const cross = make('path', { class: 'rejected', d: 'M-4-4L4 4M-4 4L4-4' });
    cross.addEventListener('pointerenter', () => {
      const time = rejection.time === undefined ? '' : clock(rejection.time) + ' · ';
      say(`${time}left out: ${rejection.why}`);
    });
    layers.rejections.append(cross);
    return cross;
  });
  function placeRejections() {
    crosses.forEach((cross, index) => {
      const { x, y } = data.rejections[index];
      cross.setAttribute('transform', `translate(${x} ${y}) scale(${1 / view.scale})`);
    });
  }

  // MARK: The moment that is pointed at

  let moment = -1;
  function say(text) { find('#readout').textContent = text; }
  function placeCursor() {
    const isShown = moment >= 0;
    cursor.setAttribute('visibility', isShown ? 'visible' : 'hidden');
    rowBox.style.setProperty('--shown', isShown ? 1 : 0);
    if (!isShown) return;
    const [x, y] = toScreen(track.x[moment], track.y[moment]);
    cursor.setAttribute('cx', x);
    cursor.setAttribute('cy', y);
    rowBox.style.setProperty('--at', 100 * track.time[moment] / Math.max(data.length, 1) + '%');
  }
  function pick(index) {
    moment = index;
    placeCursor();
    if (index < 0) return;
    const parts = [clock(track.time[index])];
    if (track.speed[index] !== null) parts.push(kilometres(track.speed[index]));
    if (track.accuracy[index] !== null) parts.push('±' + metres(track.accuracy[index]));
    say(parts.join(' · '));
  }
  function nearest(distance) {
    let [best, least] = [-1, Infinity];
    for (let index = 0; index < track.x.length; index++) {
      const value = distance(index);
      if (value < least) [best, least] = [index, value];
    }
    return [best, least];
  }
  function pickOnMap(x, y) {
    const reach = 18 / view.scale;
    const [mapX, mapY] = [
      view.x + (x - size.width / 2) / view.scale, view.y + (y - size.height / 2) / view.scale,
    ];
    const [best, least] = nearest((index) =>
      Math.hypot(track.x[index] - mapX, track.y[index] - mapY));
    if (least <= reach) {
      pick(best);
    } else if (moment >= 0) {
      pick(-1);
      say(pointed ? `${pointed.name}: ${pointed.about}` : '');
    }
  }

  // MARK: Events

  const tableRows = [...document.querySelectorAll('.events tbody tr')];
  const doubts = [];
  const onMap = data.events.map((event, index) => {
    if (event.x === undefined) return null;
    doubts[index] = make('circle', {
      class: 'doubt', cx: event.x, cy: event.y, r: event.accuracy || 0,
    });
    layers.doubts.append(doubts[index]);
    const mark = make('g', { class: 'event', 'data-event': index },
      make('circle', { class: 'hit', r: 13 }), ...sign(event.kind));
    mark.addEventListener('pointerenter', () => show(index));
    marks.append(mark);
    return mark;
  });
  const tag = make('text', { class: 'number-tag', x: 12, y: 4 });

  const rowBox = find('#rows');
  const rows = [];
  const onRows = [];
  let shown = -1;

  /** Shows an event everywhere; `isChosen` when somebody asked for it, not only passed over it. */
  function show(index, isChosen = false) {
    if (index < 0 || index >= data.events.length) return;
    if (shown >= 0) marked(shown, false);
    shown = index;
    marked(index, true);
    const event = data.events[index];
    const cells = tableRows[index];
    const text = (selector) => cells.querySelector(selector).textContent;
    find('#explanation-title').textContent = `Event #${event.number}`;
    const what = make('p', { class: 'what' }, icon(event.kind),
      `${text('.kind')} ${text('th')}`);
    const facts = [clock(event.time, true) + ' ' + data.clocks];
    if (event.accuracy) facts.push(`within ±${metres(event.accuracy)}`);
    find('#explained').replaceChildren(what, make('p', { class: 'when' }, facts.join(', ')),
      ...[...cells.querySelectorAll('.why p')].map((part) => make('p', {}, part.textContent)));
    for (const button of document.querySelectorAll('#steps button')) {
      const next = index + Number(button.dataset.step);
      button.disabled = next < 0 || next >= data.events.length;
    }
    if (onMap[index]) {
      tag.textContent = `#${event.number}`;
      onMap[index].append(tag);
      marks.append(onMap[index]);
      layers.doubts.append(doubts[index]);
      if (isChosen) reveal(event);
    } else {
      tag.remove();
    }
    light();
  }
  function marked(index, isOn) {
    for (const element of [onMap[index], doubts[index], onRows[index], tableRows[index]]) {
      if (element) element.classList.toggle('on', isOn);
    }
    if (onRows[index]) onRows[index].tabIndex = isOn ? 0 : -1;
    const button = tableRows[index].querySelector('button');
    if (button) button.tabIndex = isOn ? 0 : -1;
  }
  /** Moves the map as far as it takes to see an event. */
  function reveal(event) {
    const [x, y] = toScreen(event.x, event.y);
    const margin = 10;
    if (x > margin && x < size.width - margin && y > margin && y < size.height - margin) return;
    Object.assign(view, { x: event.x, y: event.y, isWhole: false });
    redraw();
  }
  for (const button of document.querySelectorAll('#steps button')) {
    button.addEventListener('click', () => {
      show(shown < 0 ? 0 : shown + Number(button.dataset.step), true);
    });
  }
  // One stop for the tab key, from which the arrow keys go on.
  function follow(keys, buttons) {
    keys.addEventListener('keydown', (key) => {
      const index = buttons().indexOf(document.activeElement);
      if (index < 0) return;
      const next = { ArrowLeft: index - 1, ArrowUp: index - 1, ArrowRight: index + 1,
        ArrowDown: index + 1, Home: 0, End: data.events.length - 1 }[key.key];
      if (next === undefined) return;
      key.preventDefault();
      const forward = next >= index ? 1 : -1;
      for (let at = next; at >= 0 && at < data.events.length; at += forward) {
        if (buttons()[at]) return buttons()[at].focus();
      }
    });
  }
  tableRows.forEach((row, index) => {
    const cell = row.querySelector('.number');
    const button = make('button', { type: 'button', tabindex: index ? -1 : 0 }, cell.textContent);
    button.setAttribute('aria-label', `Show event ${cell.textContent} on the map`);
    cell.replaceChildren(button);
    row.querySelector('.kind').prepend(icon(data.events[index].kind));
    button.addEventListener('focus', () => show(index, true));
    button.addEventListener('click', () => {
      show(index, true);
      find('#frame').scrollIntoView({ block: 'nearest' });
    });
    row.addEventListener('pointerenter', (pointer) => {
      if (pointer.pointerType === 'mouse') show(index);
    });
  });
  follow(find('#events'), () => tableRows.map((row) => row.querySelector('button')));

  // MARK: The states over time

  function percent(milliseconds) { return 100 * milliseconds / Math.max(data.length, 1) + '%'; }
  function drawRows() {
    const scale = make('div', { class: 'scale' });
    rowBox.append(make('div', { class: 'axis', 'aria-hidden': 'true' }, scale));
    data.rows.forEach((row, number) => {
      const bar = make('div', { class: 'bar' });
      let from = row.from;
      const spoken = [];
      row.states.forEach((state, index) => {
        const until = row.until[index];
        const part = make('div', { class: `state ${state}` });
        part.style.left = percent(from);
        part.style.width = percent(until - from);
        part.title = `${state} from ${clock(from)} to ${clock(until)}`;
        spoken.push(part.title);
        bar.append(part);
        from = until;
      });
      const name = make('div', { class: 'name', title: row.name }, row.name,
        make('span', { class: 'unseen' }, `: ${spoken.join(', ')}`));
      const element = make('div', { class: 'row' }, name, bar);
      const fence = data.fences.find((one) => one.row === number);
      if (fence) {
        name.addEventListener('pointerenter', () => point(fence));
        name.addEventListener('pointerleave', () => point(null));
      }
      rows.push(element);
      rowBox.append(element);
    });
    data.events.forEach((event, index) => {
      const bar = rows[event.row] && rows[event.row].querySelector('.bar');
      if (!bar) return;
      const button = make('button', {
        type: 'button', class: 'mark', tabindex: index ? -1 : 0,
        'aria-label': `#${event.number} ${event.kind} ${data.rows[event.row].name}, ${clock(event.time)}`,
      }, icon(event.kind));
      button.style.left = percent(event.time);
      button.addEventListener('pointerenter', () => show(index));
      button.addEventListener('focus', () => show(index, true));
      button.addEventListener('click', () => show(index, true));
      bar.append(button);
      onRows[index] = button;
    });
    follow(rowBox, () => onRows);
    drawAxis(scale);
    rowBox.addEventListener('pointermove', (pointer) => {
      const box = scale.getBoundingClientRect();
      const part = (pointer.clientX - box.left) / Math.max(box.width, 1);
      if (part < 0 || part > 1) return pick(-1);
      const time = part * data.length;
      const [best] = nearest((index) => Math.abs(track.time[index] - time));
      pick(best);
    });
    rowBox.addEventListener('pointerleave', () => { pick(-1); say(''); });
  }
  function drawAxis(scale) {
    scale.replaceChildren();
    const minute = 60000;
    const choices = [1000, 2000, 5000, 10000, 15000, 30000].concat(
      [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720].map((count) => count * minute),
      [1, 2, 7, 14, 28, 84, 365].map((count) => count * 1440 * minute));
    const room = Math.max(2, Math.floor(scale.getBoundingClientRect().width / 76));
    const step = choices.find((choice) => data.length / choice <= room) || data.length;
    if (!(step > 0)) return;
    const began = data.began + data.ahead;
    for (let at = Math.ceil(began / step) * step - began; at <= data.length; at += step) {
      const label = step >= 1440 * minute ? clock(at, true).slice(5, 10)
        : clock(at, false, step < minute);
      const mark = make('span', {}, label);
      const part = at / data.length;
      mark.style.left = percent(at);
      mark.style.transform = `translateX(${part < 0.03 ? 0 : part > 0.97 ? -100 : -50}%)`;
      scale.append(mark);
    }
  }

  // MARK: Hands

  const touches = new Map();
  const inside = (pointer) => {
    const box = map.getBoundingClientRect();
    return [pointer.clientX - box.left, pointer.clientY - box.top];
  };
  const spread = () => {
    const [[ax, ay], [bx, by]] = [...touches.values()];
    return { x: (ax + bx) / 2, y: (ay + by) / 2, distance: Math.max(1, Math.hypot(ax - bx, ay - by)) };
  };
  let isMoved = false;
  function letGo(pointer) {
    touches.delete(pointer.pointerId);
    if (!touches.size) map.classList.remove('moving');
  }
  map.addEventListener('pointerdown', (pointer) => {
    if (pointer.button > 0) return;
    if (!touches.size) isMoved = false;
    touches.set(pointer.pointerId, inside(pointer));
    const mark = pointer.target.closest('.event');
    if (mark) show(Number(mark.dataset.event));
  });
  map.addEventListener('pointermove', (pointer) => {
    const at = inside(pointer);
    const before = touches.get(pointer.pointerId);
    // Why a fix was left out is said where its cross is pointed at.
    if (!before) return pointer.target.closest('.rejected') ? undefined : pickOnMap(...at);
    // It was let go beyond the map.
    if (!pointer.buttons) return letGo(pointer);
    if (!isMoved && Math.hypot(at[0] - before[0], at[1] - before[1]) < 4) return;
    if (!isMoved) {
      isMoved = true;
      map.classList.add('moving');
      map.setPointerCapture(pointer.pointerId);
    }
    if (touches.size === 2) {
      const old = spread();
      touches.set(pointer.pointerId, at);
      const now = spread();
      move(now.x - old.x, now.y - old.y);
      zoom(now.distance / old.distance, now.x, now.y);
    } else {
      touches.set(pointer.pointerId, at);
      move(at[0] - before[0], at[1] - before[1]);
    }
  });
  for (const end of ['pointerup', 'pointercancel']) {
    map.addEventListener(end, (pointer) => {
      const isCross = pointer.target.closest('.rejected');
      if (!isMoved && touches.has(pointer.pointerId) && !isCross) pickOnMap(...inside(pointer));
      letGo(pointer);
    });
  }
  map.addEventListener('pointerleave', () => { if (!touches.size) { pick(-1); say(''); } });
  map.addEventListener('dblclick', (pointer) => zoom(2, ...inside(pointer)));
  map.addEventListener('wheel', (wheel) => {
    wheel.preventDefault();
    const pixels = wheel.deltaY * (wheel.deltaMode ? 16 : 1);
    zoom(Math.exp(-Math.max(-240, Math.min(240, pixels)) / 400), ...inside(wheel));
  }, { passive: false });
  map.addEventListener('keydown', (key) => {
    if (key.ctrlKey || key.metaKey || key.altKey) return;
    const actions = {
      ArrowLeft: () => move(60, 0), ArrowRight: () => move(-60, 0),
      ArrowUp: () => move(0, 60), ArrowDown: () => move(0, -60),
      '+': () => zoom(1.5), '=': () => zoom(1.5), '-': () => zoom(1 / 1.5), 0: fit,
      n: () => show(shown + 1, true), p: () => show(shown - 1, true),
    };
    const action = actions[key.key];
    if (!action) return;
    key.preventDefault();
    action();
  });
  for (const button of document.querySelectorAll('#zoom button')) {
    button.addEventListener('click', () => {
      ({ in: () => zoom(1.6), out: () => zoom(1 / 1.6), all: fit })[button.dataset.zoom]();
    });
  }

  // MARK: Beginning

  const used = new Set(data.events.map((event) => event.kind));
  for (const kind of Object.keys(shapes)) {
    if (used.has(kind)) find('#signs').append(make('li', {}, icon(kind), kind));
  }
  if (data.rejections.length) {
    find('#signs').append(make('li', {}, make('svg', { viewBox: '-8 -8 16 16', 'aria-hidden': 'true' },
      make('path', { class: 'rejected', d: 'M-4-4L4 4M-4 4L4-4' })), 'fix left out'));
  }
  const states = new Set(data.rows.flatMap((row) => row.states));
  for (const state of ['satisfied', 'unsatisfied', 'unknown', 'unmonitored']) {
    if (states.has(state)) {
      const meaning = { satisfied: ' (inside)', unsatisfied: ' (outside)' }[state] || '';
      find('#state-signs').append(make('li', {}, make('span', { class: `box ${state}` }), state + meaning));
    }
  }
  find('#picture').hidden = false;
  if (!data.rows.length) find('#states').hidden = true;
  measure();
  drawTrack();
  drawRows();
  if (data.events.length) {
    find('#explained').append(make('p', { class: 'soft' },
      'Point at an event on the map, in the states or in the table, or go through them with the arrows.'));
    find('#steps button').disabled = true;
  } else {
    find('#explanation').hidden = true;
    find('#picture').classList.add('alone');
  }
  fit();
  new ResizeObserver(() => {
    const wasWhole = view.isWhole;
    measure();
    if (wasWhole) fit(); else redraw();
    drawAxis(rowBox.querySelector('.scale'));
  }).observe(map);
  window.addEventListener('beforeprint', () => { measure(); fit(); draw(); });
})();
