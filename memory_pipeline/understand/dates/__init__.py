"""Dates in Russian and English text, resolved against the moment of telling.

Conventions, beyond those that `resolve` states:

- "Last Monday" is the latest one before today, "next Monday" that of next week, "this" the coming
  one. A weekend, "the weekend", "на выходных" is Saturday and Sunday, the begun or coming one, the
  one before after a past verb; "на той неделе" is last week, beside a future verb the next.
- "В четверг через неделю", "a week from Tuesday": the weekday of the week so far on.
- The beginning and middle of a month are its first and second ten days, its end its last day;
  "late May" is the rest from the 21st, "в двадцатых числах" from the 20th. A century begins with
  its year 1.
- "Третью неделю", "third week running" is open from the start of the unit that many steps back.
- A distance ahead ("через неделю", "in three days", "the following week") beside a past verb that
  arranges nothing is counted from then, so it is no date; so are "в тот день", "несколько лет
  назад", "a Saturday", and a weekday or hour of a habit.
- "Until" beside a past verb of a state ends that state in the past; a season or month whose start
  has passed is the next one else.
- "С мая живу тут" may be announced where May is near; "живу тут с мая" lasts already.
- A move from one day to another names the new day. A bare part of the day is yesterday's where a
  past verb tells of what today still lacks, tomorrow's where it is over.
- One to six o'clock without its half is the afternoon, but for a past hour of today.
"""
