extension Explanation {
  /// The same, rounded to digits that mean something, for showing.
  ///
  /// A seventh digit of a degree is a centimetre.
  package var rounded: Explanation {
    var rounded = self
    rounded.date = date?.cutToMilliseconds
    rounded.confidence = confidence.rounded(toPlaces: 6)
    rounded.confidenceAtRest = confidenceAtRest?.rounded(toPlaces: 6)
    rounded.seconds = seconds.rounded(toPlaces: 3)
    rounded.secondsNeeded = secondsNeeded.rounded(toPlaces: 3)
    rounded.unknownAfterSeconds = unknownAfterSeconds.rounded(toPlaces: 3)
    rounded.evidence = evidence.map(\.rounded)
    return rounded
  }
}

extension Explanation.Evidence {
  fileprivate var rounded: Explanation.Evidence {
    var rounded = self
    rounded.timestamp = timestamp?.cutToMilliseconds
    rounded.latitude = latitude?.rounded(toPlaces: 7)
    rounded.longitude = longitude?.rounded(toPlaces: 7)
    rounded.horizontalAccuracy = horizontalAccuracy?.rounded(toPlaces: 3)
    rounded.speed = speed?.rounded(toPlaces: 3)
    rounded.distance = distance?.rounded(toPlaces: 3)
    rounded.sigma = sigma?.rounded(toPlaces: 3)
    rounded.altitude = altitude?.rounded(toPlaces: 3)
    rounded.verticalSigma = verticalSigma?.rounded(toPlaces: 3)
    rounded.probability = probability?.rounded(toPlaces: 6)
    return rounded
  }
}
