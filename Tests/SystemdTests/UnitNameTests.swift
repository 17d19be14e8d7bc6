import Systemd
import Testing

@Suite struct `A unit name` {
  @Test(arguments: [
    "greeter.service", "greeter@trip.service", "my-app_2:x.target", #"a\x2db.socket"#, "a.timer",
    "a.b.path", String(repeating: "x", count: 247) + ".service", "a@b@c.service",
  ])
  func `is taken when it can be started`(text: String) {
    #expect(UnitName(text)?.description == text)
  }

  @Test(arguments: [
    "", "greeter", ".service", "greeter.", "greeter.mount", "greeter@.service", "@x.service",
    "/etc/systemd/system/greeter.service", "../greeter.service", "a b.service", "a\n.service",
    "a\0.service", "ä.service", "-a.service", "a.service ", "a.SERVICE", "a.service.d",
    String(repeating: "x", count: 248) + ".service",
  ])
  func `is refused when it can't`(text: String) {
    #expect(UnitName(text) == nil)
  }
}
