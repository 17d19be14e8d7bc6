import Testing

@testable import Varlink

struct RequestRatesTests {
  private let start = ContinuousClock.now

  private func at(_ seconds: Double) -> ContinuousClock.Instant {
    start.advanced(by: .milliseconds(Int64(seconds * 1000)))
  }

  @Test func `a user may ask a second's worth at once, and then as fast as it refills`() {
    let rates = RequestRates(perSecond: 4)
    func allowed(at seconds: Double) -> Int {
      (0..<10).count { _ in rates.allowsRequest(ofUser: 1000, at: at(seconds)) }
    }
    #expect(allowed(at: 0) == 4)
    #expect(allowed(at: 0.2) == 0)
    #expect(allowed(at: 0.5) == 2)
    #expect(allowed(at: 60) == 4)
  }

  @Test func `a user is held up by no other`() {
    let rates = RequestRates(perSecond: 1)
    for user in UInt32(0)..<10 { #expect(rates.allowsRequest(ofUser: user, at: at(0))) }
    for user in UInt32(0)..<10 { #expect(!rates.allowsRequest(ofUser: user, at: at(0))) }
  }

  @Test func `remembers so many users, and lets those go that have asked least`() {
    let rates = RequestRates(perSecond: 10, maximumUsers: 3)
    for user in UInt32(1)...3 {
      for _ in 1...(user == 2 ? 1 : 10) {
        #expect(rates.allowsRequest(ofUser: user, at: at(0)))
      }
    }
    for user in UInt32(10)...12 { #expect(rates.allowsRequest(ofUser: user, at: at(0))) }
    #expect(rates.users == 3)
    #expect(!rates.allowsRequest(ofUser: 1, at: at(0)))
    #expect(!rates.allowsRequest(ofUser: 3, at: at(0)))
    // All buckets are full again: none is worth its place.
    #expect(rates.allowsRequest(ofUser: 20, at: at(9)))
    #expect(rates.users == 1)
  }
}
