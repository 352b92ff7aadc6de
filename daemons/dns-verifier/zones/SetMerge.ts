/**
 * Merges one record set (a name and type) from its contents in the zone, our part of them, and the desired contents.
 * Foreign contents stay unless the name can hold only one; then they are replaced with a warning. Pure.
 */
import { common, united, without } from "../record-sets/CanonicalContent.ts"
import * as Spf from "../record-sets/Spf.ts"
import { type TxtKind, txtKind } from "../record-sets/TxtKind.ts"
import { type Warning, warning } from "../record-sets/PlanWarning.ts"

export interface SetState {
  readonly type: string
  readonly name: string
  /** Contents in the zone. */
  readonly zone: ReadonlyArray<string>
  /** Our part of the contents. For a foreign SPF text: a text with the terms that we added, without `all`. */
  readonly owned: ReadonlyArray<string>
  readonly wanted: ReadonlyArray<string>
}

export interface SetMerge {
  /** New contents; empty: remove the set. */
  readonly after: ReadonlyArray<string>
  /** Our part of the new contents. */
  readonly owns: ReadonlyArray<string>
  readonly warnings: ReadonlyArray<Warning>
}

export const mergeSet = (state: SetState): SetMerge =>
  state.type === "TXT" ? ofText(state) : state.type === "CAA" ? ofSeveral(state) : ofOne(state)

/** Sets that act as a whole: the desired contents replace all others. */
const ofOne = (state: SetState): SetMerge => {
  const { name, owned, type, wanted, zone } = state
  const foreign = without(type, zone, owned)
  if (wanted.length === 0) return { after: foreign, owns: [], warnings: [] }
  const lost = without(type, foreign, wanted)
  const added = without(type, wanted, zone)
  const warnings =
    lost.length > 0
      ? [
          type === "MX"
            ? warning(
                "foreign_mx",
                state,
                `All mail will go to ${added.join(", ") || wanted.join(", ")}, and no longer to ` +
                  `${lost.join(", ")}.`
              )
            : warning(
                type === "CNAME" ? "foreign_cname" : "foreign_replaced",
                state,
                `${type} at ${name} belongs to a third party and is replaced: ${lost.join(", ")}.`
              )
        ]
      : foreign.length > 0 && added.length > 0
        ? [
            warning(
              "foreign_extended",
              state,
              `${type} at ${name} has records of a third party (${foreign.join(", ")}) and gets ${added.join(", ")}.`
            )
          ]
        : []
  return { after: wanted, owns: without(type, wanted, foreign), warnings }
}

/** Sets of independent contents: ours are added to the foreign ones. */
const ofSeveral = (state: SetState): SetMerge => {
  const { name, owned, type, wanted, zone } = state
  const foreign = without(type, zone, owned)
  const added = without(type, wanted, zone)
  return {
    after: united(type, foreign, wanted),
    owns: without(type, wanted, foreign),
    warnings:
      foreign.length > 0 && added.length > 0
        ? [
            warning(
              "foreign_extended",
              state,
              `${type} at ${name} has records of a third party (${foreign.join(", ")}) and gets ${added.join(", ")}.`
            )
          ]
        : []
  }
}

/** TXT contents are independent, except kinds of which a name may have only one. */
const ofText = (state: SetState): SetMerge => {
  const { name, type } = state
  const of = (contents: ReadonlyArray<string>, kind: TxtKind) =>
    contents.filter((content) => txtKind(name, content) === kind)
  const part = (kind: TxtKind): SetState => ({
    type,
    name,
    zone: of(state.zone, kind),
    owned: of(state.owned, kind),
    wanted: of(state.wanted, kind)
  })
  const outcomes = [
    ofSpf(part("spf")),
    ofSingle(part("dmarc"), "foreign_dmarc", "DMARC policy"),
    ofSingle(part("dkim"), "foreign_dkim", "DKIM key"),
    ofPlain(part("other"))
  ]
  return {
    after: united(type, ...outcomes.map(({ after }) => after)),
    owns: united(type, ...outcomes.map(({ owns }) => owns)),
    warnings: outcomes.flatMap(({ warnings }) => warnings)
  }
}

const ofPlain = ({ owned, type, wanted, zone }: SetState): SetMerge => {
  const foreign = without(type, zone, owned)
  return { after: united(type, foreign, wanted), owns: without(type, wanted, foreign), warnings: [] }
}

const ofSingle = (state: SetState, code: "foreign_dmarc" | "foreign_dkim", what: string): SetMerge => {
  const { name, owned, type, wanted, zone } = state
  const foreign = without(type, zone, owned)
  if (wanted.length === 0) return { after: foreign, owns: [], warnings: [] }
  const lost = without(type, foreign, wanted)
  return {
    after: wanted,
    owns: without(type, wanted, foreign),
    warnings:
      lost.length === 0
        ? []
        : [warning(code, state, `The ${what} at ${name} belongs to a third party and is replaced: ${lost.join(", ")}.`)]
  }
}

/** SPF: our mechanisms are merged into the existing text, and removed from it later. */
const ofSpf = (state: SetState): SetMerge => {
  const {
    name,
    owned: [mine],
    type,
    wanted: [wish],
    zone
  } = state
  const [there, another] = zone
  if (there === undefined)
    return { after: wish === undefined ? [] : [wish], owns: wish === undefined ? [] : [wish], warnings: [] }
  const whole = mine !== undefined && common(type, [mine], zone).length > 0
  if (another !== undefined) {
    // Only a text that is completely ours can be removed safely. Any other choice between the two would be a guess.
    if (wish === undefined && whole) return { after: without(type, zone, [mine]), owns: [], warnings: [] }
    return untouched(
      state,
      warning(
        "spf_twice",
        state,
        `${name} has ${zone.length} SPF texts, which receivers treat as an error. Remove all but one, then make a ` +
          `new plan.`
      )
    )
  }
  if (whole)
    return {
      after: wish === undefined ? [] : [wish],
      owns: wish === undefined ? [] : [wish],
      warnings: wish === undefined ? [] : crowded(state, wish)
    }
  const owned = mine === undefined ? [] : Spf.mechanismsOf(mine)
  const wanted = wish === undefined ? [] : Spf.mechanismsOf(wish)
  const rest = Spf.strip(there, without(type, owned, wanted))
  const merged = Spf.merge(rest, wanted)
  if (merged === undefined)
    return untouched(
      state,
      warning("spf_broken", state, `The SPF text at ${name} is invalid and stays unchanged: ${there}`)
    )
  const ours = united(
    type,
    common(type, owned, wanted).filter((term) => Spf.mechanismsOf(there).includes(term)),
    merged.added
  )
  return {
    after: [merged.text],
    owns: ours.length === 0 ? [] : [["v=spf1", ...ours].join(" ")],
    warnings: wish === undefined ? [] : crowded(state, merged.text)
  }
}

/** Leaves the set unchanged. Warns only if we want or own something in it. */
const untouched = ({ owned, wanted, zone }: SetState, told: Warning): SetMerge => ({
  after: zone,
  owns: owned,
  warnings: owned.length + wanted.length > 0 ? [told] : []
})

const crowded = (state: SetState, text: string): ReadonlyArray<Warning> =>
  Spf.lookups(text) > Spf.maxLookups
    ? [
        warning(
          "spf_lookups",
          state,
          `The SPF text at ${state.name} needs ${Spf.lookups(text)} DNS queries; receivers allow ` +
            `${Spf.maxLookups} and treat more as an error.`
        )
      ]
    : []
