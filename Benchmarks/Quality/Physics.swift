/// Notes for the table that explain why the figures of some scenarios differ from those of others.
///
/// There is no note for false events that a better rule would avoid: `Docs/Quality.md` tells what is still wrong.
enum Physics {
  static let shortVisit = """
    A visit can be shorter than a gap (up to 20 s) or the time between two fixes. Then only the \
    way from one to the next shows it ("crossed"), if at all; the line "limit" has those that no \
    report showed. Where the way only cuts a corner of a fence for some 3 s, hardly deeper than 10 \
    m, one fix at 1 Hz is 5.8 m past the line (2.05 σ, σ = 2.8 m in the turn), but two have to \
    agree.
    """
  static let canyon = """
    Misses and delays: with σ = 6.2 m, P ≥ 0.98 needs 2.05 σ = 12.7 m past the line if σ is known, \
    15 m as it is believed (AccuracyFactor=), and more after reflections. So visits and absences \
    of 10 to 20 m are missed. Deeper ones are missed if they are shorter than a reflection (up to \
    20 s), during which no fix is near the truth; an event also waits for its end.
    """
  static let canyonOptimist = """
    The first state of a place 4 m from the line: a receiver with σ = 6.2 m that says 2.1 m is \
    believed to have 3 m (MinimumSigma=). So a first fix that is off by 10.2 m towards the other \
    side, 1.6 σ, is believed, at about one start in 20. How much it lies is learnt within minutes, \
    not before.
    """
  static let noSpeed = """
    Without Doppler speed nothing distinguishes a wandering error from motion, and each fix stands \
    for itself. 4 m from the line an error of 14 m (3.5 σ), which then lasts for up to two \
    minutes, is a crossing; farther from the line it takes more. Only waiting for minutes would \
    help.
    """
  static let noSpeedCanyon = """
    As in the scenario before: without Doppler speed wandering errors are crossings, and σ is 6.2 \
    m. Reflections are told from journeys by their jump at the beginning, except for those that \
    begin in a gap and those that hardly jump.
    """
  static let noCourseCanyon = """
    In a reflection the noise of Doppler speeds is five times as much, 1 m/s along each axis. \
    Without a direction it doesn't cancel out: while positions jump, an average of 1.25 m/s looks \
    like somebody who walks off.
    """
  static let noSpeedDrive = """
    Without Doppler speed a change always waits for its confirmation, 3 fixes over 3 s on the way \
    out. This makes the delay, and absences that are hardly longer than that are missed.
    """
  static let noAccuracy = """
    A fix without accuracy gets 15 m (DefaultAccuracy=), so σ = 11.9 m is believed where it is 2 \
    m, and P ≥ 0.98 needs 24 m past the line: visits and absences of 10 to 25 m are missed. If you \
    know the receiver, you can set DefaultAccuracy=3.
    """
  static let poor = """
    With σ = 18.2 m, P ≥ 0.98 needs 2.05 σ = 37 m past the line if σ is known, 45 m as it is \
    believed. Visits and absences of 10 to 45 m can be missed, and each crossing takes the time to \
    go that far.
    """
  static let stopAndGo = """
    With σ = 4.1 m, P ≥ 0.98 needs 8.4 m past the line if σ is known, 10 m as it is believed, give \
    or take the error itself: visits of 10 to 12 m can be missed. After a stop just past the line \
    (2 to 30 s at a time) it gets that far only by going on.
    """
  static let tunnel = """
    The way out lies in the tunnel: nothing is known before the first fix after it. The line \
    "limit" says when that came.
    """
  static let slow = """
    With one fix in 10 s, the first after a crossing typically comes after 5 s, at worst after 10 \
    s; see the line "limit".
    """
  static let jam = """
    The line is crossed while creeping 4 to 30 m at a time, with 5 to 90 s of standing between. P \
    ≥ 0.98 needs 4.2 m past the line (σ = 2 m), or 12.7 m between walls (σ = 6.2 m): a stop before \
    that is undecided until the next time.
    """
  static let walk = """
    With σ = 2.4 m as it is believed, it takes 5 m past the line (2.05 σ), which are 3.5 s at 1.4 \
    m/s; the confirmation takes 1 to 3 s more.
    """
  static let boat = """
    The boat crosses the lines at 0.1 to 0.3 m/s: the 5 m past the line that it takes to believe \
    it (2.05 σ, σ = 2.4 m) take 15 to 50 s, and some swings turn before that.
    """
  static let boatWithoutCourse = """
    As before. At 0.1 to 0.3 m/s a speed without a direction may also be that of a receiver at \
    rest, which moves as far when it errs: a rule that isn't told of the boat takes most swings \
    for that.
    """
}
