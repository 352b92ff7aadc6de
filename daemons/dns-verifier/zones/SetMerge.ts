/**
 * What is to become of one place of a zone (a name and type): from what stands there, what of it is ours, and what is
 * wanted. What others wrote stays, but where a name can hold one thing only; then it is replaced and told. Pure.
 */
import { common, united, without } from "../record-sets/CanonicalContent.ts"
import * as Spf from "../record-sets/Spf.ts"
import { type TxtKind, txtKind } from "../record-sets/TxtKind.ts"
import { type Warning, warning } from "../record-sets/PlanWarning.ts"

export interface SetState {
  readonly type: string
  readonly name: string
  /** Contents that stand there. */
  readonly zone: ReadonlyArray<string>
  /** Those that we wrote. Of an SPF text that was not ours: one with the terms that we put in, without `all`. */
  readonly owned: ReadonlyArray<string>
  readonly wanted: ReadonlyArray<string>
}

export interface SetMerge {
  /** Contents that are to stand there; none: the set goes. */
  readonly after: ReadonlyArray<string>
  /** What of that will be ours. */
  readonly owns: ReadonlyArray<string>
  readonly warnings: ReadonlyArray<Warning>
}

export const mergeSet = (state: SetState): SetMerge =>
  state.type === "TXT" ? ofText(state) : state.type === "CAA" ? ofSeveral(state) : ofOne(state)

/** A set that says one thing: what is wanted there is all there is. */
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
                `Mail goes to ${added.join(", ") || wanted.join(", ")} alone from now on, no longer to ${lost.join(", ")}.`
              )
            : warning(
                type === "CNAME" ? "foreign_cname" : "foreign_replaced",
                state,
                `${type} at ${name} was made by others and is replaced: ${lost.join(", ")}.`
              )
        ]
      : foreign.length > 0 && added.length > 0
        ? [
            warning(
              "foreign_extended",
              state,
              `${type} at ${name} was made by others and gets ${added.join(", ")} beside ${foreign.join(", ")}.`
            )
          ]
        : []
  return { after: wanted, owns: without(type, wanted, foreign), warnings }
}

/** A set whose contents stand each for itself. */
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
              `${type} at ${name} was made by others and gets ${added.join(", ")} beside ${foreign.join(", ")}.`
            )
          ]
        : []
  }
}

/** Texts stand each for itself, but for those of which there can be one only. */
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
        : [warning(code, state, `The ${what} at ${name} was made by others and is replaced: ${lost.join(", ")}.`)]
  }
}

/** One text for all: ours goes into the one that is there, and comes out of it again without the rest. */
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
    // The one that is wholly ours can go when it is not wanted; beyond that any choice would be a guess.
    if (wish === undefined && whole) return { after: without(type, zone, [mine]), owns: [], warnings: [] }
    return untouched(
      state,
      warning(
        "spf_twice",
        state,
        `There are ${zone.length} SPF texts at ${name}, which receivers take for an error. Remove all but one; then a plan can see to ours.`
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
      warning("spf_broken", state, `The SPF text at ${name} is broken, and is left as it is: ${there}`)
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

/** Told only to those whom it keeps from something. */
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
          `The SPF text at ${state.name} asks DNS ${Spf.lookups(text)} times; receivers stop at ${Spf.maxLookups} and take it for an error.`
        )
      ]
    : []
