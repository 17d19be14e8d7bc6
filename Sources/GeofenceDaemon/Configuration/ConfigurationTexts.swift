import CommandLineParsing

/// The texts about the configuration, each derived from ``ConfigurationSection/all``.
package enum ConfigurationTexts {
  /// The example file: every key with its explanation and default, commented out.
  package static func renderExampleFile() -> String {
    let introduction = """
      The configuration of geofenced, with the values that hold without this file. To change a \
      value, remove the "#" before its key. Files named *.conf in \(Configuration.defaultPath).d \
      are read after this one, in the order of their names. See geofenced.conf(5); "geofenced \
      check-config" says what is wrong.
      """
    let sections = ConfigurationSection.all.map { section in
      let keys = section.keys.map { key in
        comment("\(key.documentation) Takes \(key.expectation).")
          + "#\(key.name)=\(key.defaultText)\n"
      }
      return comment(section.documentation) + "[\(section.name)]\n\n"
        + keys.joined(separator: "\n")
    }
    return comment(introduction) + "\n" + sections.joined(separator: "\n")
  }

  /// The manual page `geofenced.conf(5)`.
  package static func renderManualPage() -> String {
    let path = Configuration.defaultPath
    var page = Roff(name: "geofenced.conf", section: 5, manual: "File Formats")
    page.section("NAME")
    page.paragraph("geofenced.conf - configuration of geofenced")
    page.section("SYNOPSIS")
    page.paragraph([.bold(path)])
    page.paragraph([.bold("\(path).d/*.conf")])
    page.section("DESCRIPTION")
    for paragraph in [
      """
      Everything has a default. /etc/geofenced/geofenced.conf may be missing; a file that is named \
      on the command line may not. Files with the ending .conf in the directory beside it are read \
      after it, in the byte order of their names; a later value replaces an earlier one.
      """,
      """
      A line has the form Key=Value and belongs to the [Section] above it. Names are written with \
      the capitals given here. Blanks around names and values don't matter. A line that starts \
      with # or ; is a comment; after a value there can be none. A backslash at the end of a line \
      continues it on the next. A line, with its continuations, has at most 198 bytes, except \
      comments. The files are UTF-8, of at most 1 MiB each; besides the first there may be at most \
      256.
      """,
      "An empty value brings back the default.",
      """
      Times are numbers with a unit: us, ms, s, min, h, d or w. Several add up, as in 1h 30min; a \
      number alone is in seconds. m means min too, and the longer names of systemd, such as sec \
      and hours, are understood. Yes can also be written as true, on or 1, and no as false, off or \
      0, in capitals or not.
      """,
      """
      Unknown sections and keys are ignored with a warning. There is also only a warning for a \
      PauseProbeSec= that isn't less than UnknownAfterSec=, for a StateDirectory= or \
      RuntimeDirectory= that systemd overrides, and for a further file that is a link which leads \
      nowhere. Anything else that is wrong is an error. All problems are reported at once with \
      file and line, but at most 100. geofenced check-config reports them without starting the \
      daemon, and counts what is ignored as a mistake.
      """,
      """
      With an error the daemon refuses to start. It also refuses to reload, and keeps the \
      configuration that it had. A reload that changes how the receiver is read or judged to be at \
      rest connects to gpsd anew, and ends a pause.
      """,
    ] {
      page.paragraph(paragraph)
    }
    for section in ConfigurationSection.all {
      page.section("[\(section.name)]")
      page.paragraph(section.documentation)
      for key in section.keys {
        let standard = key.defaultText.isEmpty ? "empty" : key.defaultText
        page.definition(
          [.bold("\(key.name)=")],
          [key.documentation, "Takes \(key.expectation). Default: \(standard)."])
      }
    }
    LiveConfigurationTable.render(to: &page)
    page.section("SEE ALSO")
    page.paragraph([.bold("geofenced"), .plain("(1), "), .bold("gpsd"), .plain("(8)")])
    return page.text
  }

  private static func comment(_ text: String) -> String {
    TextLayout.wrap(text, firstPrefix: "# ", prefix: "# ")
  }
}
