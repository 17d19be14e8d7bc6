/// Why a fix was left out, in words for a person.
enum RejectionText {
  /// The sentences for the codes; a code that isn't here is written as separate words.
  static let sentences = [
    "noFix": "the receiver had no position",
    "noTime": "it had a position, but no time: let the receiver send RMC or ZDA",
    "noSatellites": "it rested on no satellite: the receiver went straight on as before",
    "outOfRange": "a coordinate was beyond the globe",
    "nullIsland": "it was exactly 0° 0°, as receivers report that have nothing to say",
    "inaccurate": "it was less accurate than MaximumAccuracy= allows",
    "notNewer": "it was not newer than the fix before",
    "timeJump": "it was over a day after the fix before: more likely a wrong clock",
    "impossibleSpeed": "it was farther from the fix before than MaximumSpeed= allows",
    "repeatedPosition": "it was where the fix before was, although it moved or was silent",
    "otherReceiver": "it was of another receiver than the one that is followed",
    "contradictsMotion":
      "it lay beside the way so far: others must agree, at most for JumpSec=",
  ]

  /// The sentence for a code.
  static func sentence(_ code: String) -> String {
    sentences[code] ?? "it was rejected as \(code.words(separatedBy: " "))"
  }
}

extension String {
  /// The words of a name such as `exitAfter`, in small letters.
  func words(separatedBy separator: String) -> String {
    map { $0.isUppercase ? separator + $0.lowercased() : String($0) }.joined()
  }
}
