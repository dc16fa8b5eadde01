import { describe, expect, test } from 'vitest'
import { longestMs } from '../../packages/server/testing/length.ts'
import { answersLeadWhereWritten } from './answer-claims.ts'
import { childrenReturnWhereWritten, forksJoinAsWritten } from './child-claims.ts'
import * as conditions from './condition-claims.ts'
import { finishedEditsDetour, returnsGoOn } from './detour-claims.ts'
import * as forks from './fork-claims.ts'
import * as history from './history-claims.ts'
import * as limits from './limit-claims.ts'
import * as moves from './move-claims.ts'
import * as refusals from './refusal-claims.ts'
import { always } from './settings.ts'
import * as status from './status-claims.ts'
import { scenario, storyOf } from './story.ts'

describe('in every run of every definition', { timeout: longestMs }, () => {
  test('WF-34: replaying the stored entries gives the very snapshot and the entries again', () => {
    always(37, scenario, (chosen) => history.replayGivesSnapshot(storyOf(chosen)))
  })

  test('WF-32: a change of the snapshot leaves an entry that tells its cause', () => {
    always(25, scenario, (chosen) => history.changesLeaveEntries(storyOf(chosen)))
  })

  test('WF-32: reviving the snapshot from its text at any point changes nothing after it', () => {
    always(20, scenario, (chosen) => history.revivingChangesNothing(storyOf(chosen)))
  })

  test('WF-9: the same input gives the same bytes', () => {
    always(20, scenario, (chosen) => history.sameInputSameBytes(storyOf(chosen)))
  })

  test('WF-16, WF-17: a refused event gives back the very same snapshot', () => {
    always(25, scenario, (chosen) => refusals.refusalKeepsSnapshot(storyOf(chosen)))
  })

  test('WF-14, WF-28: a denied call changes nothing, unless a lost result counts as done', () => {
    always(25, scenario, (chosen) => refusals.denialKeepsSnapshot(storyOf(chosen)))
  })

  test('WF-13: every view of every snapshot can be drawn, and is bounded', () => {
    always(20, scenario, (chosen) => refusals.viewsAreDrawn(storyOf(chosen)))
  })

  test('WF-14: whatever an agent calls things, our answers stay short', () => {
    always(25, scenario, (chosen) => refusals.messagesAreBounded(storyOf(chosen)))
  })

  test('WF-17: hostile keys reach no prototype', () => {
    always(20, scenario, (chosen) => refusals.prototypeIsUntouched(storyOf(chosen)))
  })

  test('WF-24: a fork joins once, and each of its branches ends once before it', () => {
    always(37, scenario, (chosen) => forks.forksJoinOnce(storyOf(chosen)))
  })

  test('WF-24: the snapshot has a fork exactly between its beginning and its join', () => {
    always(20, scenario, (chosen) => forks.forkStandsUntilJoin(storyOf(chosen)))
  })

  test('WF-24: while a fork is open, its parent stands still and ended branches stay', () => {
    always(30, scenario, (chosen) => {
      const reported = storyOf(chosen)
      forks.parentStandsStill(reported)
      forks.endedBranchStays(reported)
    })
  })

  test('WF-33: it waits exactly when every place of execution waits for a person', () => {
    always(25, scenario, (chosen) => status.waitsWhenAllWait(storyOf(chosen)))
  })

  test('WF-15, WF-33: it ends once and never moves again', () => {
    always(25, scenario, (chosen) => {
      const reported = storyOf(chosen)
      status.endedRunsRest(reported)
      status.runsEndOnce(reported)
    })
  })

  test('WF-27: paused, it stays so until it is resumed, forced, stopped or ended', () => {
    always(20, scenario, (chosen) => status.pausedRunsStay(storyOf(chosen)))
  })

  test('WF-22, PO-7: a question put to a person closes once, and the answer is heard', () => {
    always(25, scenario, (chosen) => {
      const reported = storyOf(chosen)
      status.approvalsCloseOnce(reported)
      status.verdictsAreHeard(reported)
    })
  })

  test('WF-32: the snapshot stays plain JSON and within bounds', () => {
    always(25, scenario, (chosen) => {
      const reported = storyOf(chosen)
      status.snapshotIsPlain(reported)
      status.countsOnlyGrow(reported)
    })
  })
  test('WF-5, WF-6, WF-10, WF-11, WF-25, SH-6, SH-8: no call passes against its state', () => {
    always(50, scenario, (chosen) => limits.listedToolsOnly(storyOf(chosen)))
  })

  test('FC-1, FC-2, FC-5: marks stay and close, and only observed results teach', () => {
    let [judged, learnt] = [0, 0]
    always(150, scenario, (chosen) => {
      const played = storyOf(chosen)
      conditions.marksStay(played)
      learnt += conditions.factsAreLearnt(played)
      judged += conditions.conditionsHold(played)
    })
    // Else nothing was claimed.
    expect(judged).toBeGreaterThan(0)
    expect(learnt).toBeGreaterThan(0)
  })

  test('WF-8: no visit of a state lets through more calls than it may', () => {
    always(30, scenario, (chosen) => limits.iterationsAreCounted(storyOf(chosen)))
  })

  test('PO-1, PO-2, PO-4, PO-7, PR-9: no call passes against a policy or unapproved', () => {
    always(50, scenario, (chosen) => limits.policiesHold(storyOf(chosen)))
  })

  test('WF-16, WF-18, WF-19, WF-20, WF-22: an event leads where a second reading says', () => {
    always(50, scenario, (chosen) => moves.eventsLeadWhereWritten(storyOf(chosen)))
  })

  test('WF-17: data merges over the context when the event moved the run', () => {
    always(25, scenario, (chosen) => moves.dataMergesAfterMove(storyOf(chosen)))
  })

  test('WF-22: what waits for a person moves by a person alone', () => {
    always(37, scenario, (chosen) => moves.onlyPersonsApprove(storyOf(chosen)))
  })
  test('WF-28, WF-29: a finished edit detours by the first match, and back', () => {
    always(50, scenario, (chosen) => {
      const reported = storyOf(chosen)
      finishedEditsDetour(reported)
      returnsGoOn(reported)
    })
  })

  test('WF-23, WF-24: children and forks end as they say and lead on where it is written', () => {
    always(50, scenario, (chosen) => {
      const reported = storyOf(chosen)
      childrenReturnWhereWritten(reported)
      forksJoinAsWritten(reported)
    })
  })

  test('PR-2, PR-3, PR-4, PR-5: an answer leads where a second reading says', () => {
    always(50, scenario, (chosen) => answersLeadWhereWritten(storyOf(chosen)))
  })
})
