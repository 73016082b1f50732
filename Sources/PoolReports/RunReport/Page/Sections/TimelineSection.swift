import PoolAnalysis
import PoolEvents
import PoolModel

/// The run over time: curves that show without scripts, and the frame for what the script draws.
enum TimelineSection {
  static func append(_ facts: PageFacts, to writer: inout PageWriter) {
    writer.section("timeline", "Timeline") { writer in
      writer.markup(controls)
      appendCurves(facts, to: &writer)
      writer.markup(stage)
    }
  }

  private static let controls: StaticString = """
    <div class="controls js"><label>Find <input type="search" id="find" \
    placeholder="name, command, group:…, outcome:failed, &gt;2s" autocomplete="off" \
    spellcheck="false"></label><label>Colour <select id="colour"><option value="group">by group\
    </option><option value="outcome">by outcome</option><option value="worker">by worker</option>\
    </select></label><label class="check"><input type="checkbox" id="chain"> why it took that long\
    </label><span class="buttons"><button type="button" id="in" aria-label="Zoom in">+</button>\
    <button type="button" id="out" aria-label="Zoom out">−</button><button type="button" id="fit">\
    whole run</button><button type="button" id="fail">next failure</button></span>\
    <output id="found" aria-live="polite"></output></div>
    <ul id="legend" class="legend js" aria-label="Colours of the timeline"></ul>

    """

  private static let stage: StaticString = """
    <div id="stage" class="js"><canvas id="chart" tabindex="0" role="application" \
    aria-label="Timeline by slot" aria-describedby="keys"></canvas></div>
    <p id="keys" class="note js">Drag to move; Ctrl and the wheel zoom; a click shows details. \
    Keys: <kbd>/</kbd> find, <kbd>f</kbd> next failure, <kbd>n</kbd> <kbd>p</kbd> next and previous, \
    <kbd>+</kbd> <kbd>−</kbd> <kbd>0</kbd> zoom, <kbd>←</kbd> <kbd>→</kbd> move, <kbd>Esc</kbd> close.\
    </p>
    <noscript><p class="note">Scripts draw the timeline by slot, find operations and show details.\
    </p></noscript>

    """

  private static func appendCurves(_ facts: PageFacts, to writer: inout PageWriter) {
    let curves = LoadCurves(facts, steps: steps)
    writer.element("div id=\"curves\"") { writer in
      let width = facts.analysis.account.width
      append(curves.executing, "executing", of: Double(width), "\(width)", to: &writer)
      let most = curves.waiting.max() ?? 0
      if most > 0 {
        append(curves.waiting, "waiting", of: most, "\(Int(most.rounded(.up)))", to: &writer)
      }
      if let processors = curves.processors {
        let cores = facts.history.began?.cores ?? 1
        append(processors, "processors", of: Double(cores), "\(cores)", to: &writer)
      }
      writer.markup("<div id=\"brush\" class=\"js\"></div>")
    }
    let end = ReportWording.duration(facts.analysis.elapsed)
    writer.markup("<p class=\"axis\"><span>0 s</span><span>")
    writer.text(end)
    writer.markup("</span></p>")
  }

  /// A curve whose greatest values are cut off at the height of its picture.
  private static func append(
    _ values: [Double],
    _ name: StaticString,
    of most: Double,
    _ label: String,
    to writer: inout PageWriter
  ) {
    writer.markup("<div class=\"curve\"><span><b>")
    writer.markup(name)
    writer.markup("</b> of ")
    writer.text(label)
    writer.markup("</span><svg viewBox=\"0 0 ")
    writer.text(values.count)
    writer.markup(" 40\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"")
    writer.text("Over time, at most \(label)")
    writer.markup("\"><path class=\"f-")
    writer.markup(name)
    writer.markup("\" d=\"M0 40")
    for (step, value) in values.enumerated() {
      let height = min(value / max(most, 1e-9), 1) * 40
      writer.markup("V")
      writer.coordinate(40 - height)
      writer.markup("H")
      writer.text(step + 1)
    }
    writer.markup("V40Z\"/></svg></div>")
  }

  private static let steps = 400
}
