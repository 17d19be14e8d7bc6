import Foundation
import GeofenceClient
import Geofencing
import TestSupport

extension Track.Place {
  /// The place as a program's condition.
  var circle: GeofenceClient.CircularGeographicCondition {
    GeofenceClient.CircularGeographicCondition(
      center: GeofenceClient.Coordinate(latitude: center.latitude, longitude: center.longitude),
      radius: radius)
  }
}

extension Drive {
  /// When it truly comes into a place.
  func arrival(at identifier: String) -> Date? {
    visits[identifier].map {
      Date(timeIntervalSince1970: Double($0.lowerBound.nanoseconds) / 1e9)
    }
  }
}
