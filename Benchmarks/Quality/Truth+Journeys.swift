import Glibc
import TestSupport

extension Truth {
  /// Standing in one place, 30, 12 and 4 metres from the lines of six fences, three on each side.
  static func parked(hours: Double) -> Truth {
    var truth = Truth()
    truth.stand(hours * 3600)
    for (index, distance) in [30.0, 12, 4, -4, -12, -30].enumerated() {
      let radius = 100.0
      let angle = Double(index) * Double.pi / 3
      let center = radius + distance
      truth.fences.append(
        Fence(east: center * sin(angle), north: center * cos(angle), radius: radius))
    }
    return truth
  }

  /// A drive through the streets of a town, past fences and through them, with red lights.
  static func drive(minutes: Double, random: inout SplitMix64) -> Truth {
    var truth = Truth()
    truth.stand(30)
    var heading = random.uniform(0...(2 * Double.pi))
    while truth.seconds < minutes * 60 {
      let block = random.uniform(120...400)
      let here = truth.last
      heading += Double(Int(random.uniform(0...2.99)) - 1) * Double.pi / 2
      // Go back towards the middle, so that the map projection stays exact.
      if hypot(here.east, here.north) > 15_000 { heading = atan2(-here.east, -here.north) }
      let stops = random.chance(0.25)
      truth.go(
        east: here.east + block * sin(heading), north: here.north + block * cos(heading),
        speed: random.uniform(8...20), arriving: stops ? 0 : random.uniform(4...8))
      if stops { truth.stand(random.uniform(5...60)) }
    }
    truth.scatterFences(radii: 50...300, random: &random)
    return truth
  }

  /// Three drives to a parking place inside a fence, each followed by an hour there and a drive off.
  static func arrivals(random: inout SplitMix64) -> Truth {
    var truth = Truth(east: -1500, north: 0)
    for _ in 0..<3 {
      let start = truth.last
      let radius = random.uniform(60...200)
      let east = start.east + random.uniform(1200...2000)
      let north = start.north + random.uniform(-300...300)
      // The fence is in any direction from the parking place, which is 10 to 40 m inside.
      let away = radius - random.uniform(10...40)
      let angle = random.uniform(0...(2 * Double.pi))
      truth.fences.append(
        Fence(east: east + away * sin(angle), north: north + away * cos(angle), radius: radius))
      truth.go(east: east - 60, north: north, speed: 14, arriving: 5)
      truth.go(east: east, north: north, speed: 5)
      truth.stand(random.uniform(3000...4200))
    }
    truth.go(east: truth.last.east + 1500, north: truth.last.north, speed: 14)
    return truth
  }

  /// A drive from junction to junction in dense traffic, with a stop at almost each.
  static func stopAndGo(minutes: Double, random: inout SplitMix64) -> Truth {
    var truth = Truth()
    var heading = random.uniform(0...(2 * Double.pi))
    while truth.seconds < minutes * 60 {
      let length = random.uniform(15...80)
      let here = truth.last
      if random.chance(0.2) { heading += (random.chance(0.5) ? 1 : -1) * Double.pi / 2 }
      truth.go(
        east: here.east + length * sin(heading), north: here.north + length * cos(heading),
        speed: random.uniform(3...8), acceleration: 1.5)
      truth.stand(random.uniform(2...30))
    }
    truth.scatterFences(radii: 40...200, random: &random)
    return truth
  }

  /// Places forty fences so that the way leads through some, touches some, and passes others.
  private mutating func scatterFences(
    radii: ClosedRange<Double>, random: inout SplitMix64
  ) {
    while fences.count < 40 {
      let point = points[Int(random.uniform(0...Double(points.count - 1)))]
      let radius = random.uniform(radii)
      let angle = random.uniform(0...(2 * Double.pi))
      // The point is between the middle of the fence and 60 metres outside its line.
      let away = random.uniform(0...(radius + 60))
      fences.append(
        Fence(
          east: point.east + away * sin(angle), north: point.north + away * cos(angle),
          radius: radius))
    }
  }

  /// A walk along the line 15 metres outside, in, a stay, out, and along the line again.
  static func walk(random: inout SplitMix64) -> Truth {
    let radius = random.uniform(80...200)
    let outside = radius + 15
    let speed = random.uniform(1.2...1.6)
    var truth = Truth(east: 0, north: outside)
    truth.fences = [Fence(east: 0, north: 0, radius: radius)]
    var angle = 0.0
    func along(_ radians: Double, _ truth: inout Truth) {
      let steps = Int(radians * outside / speed / Truth.step)
      for _ in 0..<steps {
        angle += speed * Truth.step / outside
        truth.append(
          Point(
            east: outside * sin(angle), north: outside * cos(angle),
            eastSpeed: speed * cos(angle), northSpeed: -speed * sin(angle)))
      }
    }
    for _ in 0..<3 {
      along(random.uniform(2...5), &truth)
      let depth = random.uniform(25...60)
      truth.go(
        east: (radius - depth) * sin(angle), north: (radius - depth) * cos(angle), speed: speed,
        acceleration: 0.8)
      truth.stand(random.uniform(300...900))
      truth.go(
        east: outside * sin(angle), north: outside * cos(angle), speed: speed, acceleration: 0.8)
    }
    along(2, &truth)
    return truth
  }

  /// A drive into fences, and out of them where nothing can be received.
  static func tunnel(random: inout SplitMix64) -> Truth {
    var truth = Truth(east: -3000, north: 0)
    for _ in 0..<4 {
      let start = truth.last.east
      let radius = random.uniform(200...400)
      let center = start + 2500
      truth.fences.append(
        Fence(east: center, north: random.uniform(-60...60), radius: radius))
      let speed = random.uniform(12...20)
      truth.go(east: center + radius - 150, north: 0, speed: speed, arriving: speed)
      truth.isCovered = true
      let length = random.uniform(300...900)
      truth.go(east: truth.last.east + length, north: 0, speed: speed, arriving: speed)
      truth.isCovered = false
      truth.go(east: truth.last.east + 1500, north: 0, speed: speed, arriving: speed)
    }
    return truth
  }

  /// An hour on a motorway, through large fences and past them.
  static func motorway(random: inout SplitMix64) -> Truth {
    var truth = Truth(east: -50_000, north: 0)
    while truth.last.east < 50_000 {
      let speed = random.uniform(25...36)
      truth.go(
        east: truth.last.east + random.uniform(1500...5000),
        north: truth.last.north + random.uniform(-300...300), speed: speed, arriving: speed)
    }
    truth.scatterFences(radii: 400...1500, random: &random)
    return truth
  }

  /// Swinging round an anchor with wind and tide, over lines that are crossed and lines that aren't.
  static func anchor(hours: Double, random: inout SplitMix64) -> Truth {
    let scope = random.uniform(25...45)
    var elapsed = 0.0
    let phase = random.uniform(0...(2 * Double.pi))
    let tide = random.uniform(0...(2 * Double.pi))
    func place(_ time: Double) -> (Double, Double) {
      // The boat yaws within some minutes, while wind and tide turn it about within hours.
      let yaw = 0.5 * sin(2 * Double.pi * time / 420 + phase)
      let turn = tide + 1.5 * sin(2 * Double.pi * time / 11_000)
      let length = scope * (0.9 + 0.1 * sin(2 * Double.pi * time / 130))
      return (length * sin(turn + yaw), length * cos(turn + yaw))
    }
    var (east, north) = place(0)
    var truth = Truth(east: east, north: north)
    while elapsed < hours * 3600 {
      elapsed += Truth.step
      let (nextEast, nextNorth) = place(elapsed)
      truth.append(
        Point(
          east: nextEast, north: nextNorth, eastSpeed: (nextEast - east) / Truth.step,
          northSpeed: (nextNorth - north) / Truth.step))
      (east, north) = (nextEast, nextNorth)
    }
    truth.fences = [
      // The anchor alarm, which is never left.
      Fence(east: 0, north: 0, radius: scope + 25),
      // A fairway beside it, into which the boat may swing.
      Fence(
        east: 200 * sin(tide), north: 200 * cos(tide), radius: 200 - scope + 15),
      Fence(east: 200 * sin(tide + 2), north: 200 * cos(tide + 2), radius: 200 - scope + 5),
      Fence(east: 300 * sin(tide - 2), north: 300 * cos(tide - 2), radius: 300 - scope - 20),
    ]
    return truth
  }

  /// Creeping in a traffic jam, over the line and beyond.
  static func jam(random: inout SplitMix64) -> Truth {
    var truth = Truth(east: -400, north: 0)
    truth.fences = [
      Fence(east: 300, north: 0, radius: 300), Fence(east: 0, north: 160, radius: 150),
      Fence(east: 500, north: 40, radius: 250),
    ]
    truth.go(east: -120, north: 0, speed: 12)
    while truth.last.east < 900 {
      truth.stand(random.uniform(5...90))
      truth.go(
        east: truth.last.east + random.uniform(4...30), north: 0, speed: random.uniform(1.5...5),
        acceleration: 1)
    }
    return truth
  }
}
