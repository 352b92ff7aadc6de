/**
 * The difference between what a domain is to have and what its zone has, as steps that each make one record set what it
 * should be. Only sets that are ours, or that are wanted and not there, are touched; whatever else a step takes is
 * named in a warning. Pure.
 */
import { common, setKey, sameContents, setAt, without } from "../record-sets/CanonicalContent.ts"
import { mergeSet } from "./SetMerge.ts"
import * as Spf from "../record-sets/Spf.ts"
import { type Source, usualTtl, type DesiredSet } from "../record-sets/DesiredSets.ts"
import { type Warning, warning } from "../record-sets/PlanWarning.ts"
import type { OwnedSet } from "../domain-store/OwnedSets.ts"
import type { RecordSet } from "../record-sets/RecordSet.ts"

/** A plan that changes a larger share of the zone stops until somebody insists. */
export const maxShare = 0.3

/** In a smaller zone any plan is a large share. Unit: record sets. */
export const shareFrom = 10

export interface Step {
  readonly type: string
  /** Below the domain; `@`: the domain itself. */
  readonly name: string
  /** Of what is written. Unit: seconds; null: the zone's default. */
  readonly ttl: number | null
  /** Null: there is no such set. */
  readonly before: ReadonlyArray<string> | null
  /** Null: the set is removed. */
  readonly after: ReadonlyArray<string> | null
  /** What of `after` is ours. */
  readonly owns: ReadonlyArray<string>
  /** In words. */
  readonly reason: string
}

export interface PlanInput {
  readonly wanted: ReadonlyArray<DesiredSet>
  /** The domain's part of the zone, named below the domain. */
  readonly zone: ReadonlyArray<RecordSet>
  readonly owned: ReadonlyArray<OwnedSet>
  /** How many sets the whole zone has. */
  readonly zoneSets: number
}

export interface Plan {
  /** In the order in which they are to be done. */
  readonly steps: ReadonlyArray<Step>
  readonly warnings: ReadonlyArray<Warning>
  /** Of the zone, that the steps touch: 0 to 1, or more when most is new. */
  readonly share: number
  /** It does not apply without force. */
  readonly stopped: boolean
  /** Sets that we owned, that nobody wants and that are gone from the zone. */
  readonly lost: ReadonlyArray<{ readonly type: string; readonly name: string }>
}

export const planOf = (input: PlanInput): Plan => {
  const { owned, wanted, zone, zoneSets } = input
  const names = [...new Set([...wanted, ...owned].map(({ name }) => name))]
  const parts = names.map((name) => ofName(name, input))
  const steps = inOrder(parts.flatMap((part) => part.steps))
  const share = steps.length / Math.max(zoneSets, 1)
  return {
    steps,
    warnings: parts.flatMap((part) => part.warnings),
    share,
    stopped: zoneSets >= shareFrom && share > maxShare,
    lost: owned.filter((set) => setAt(wanted as ReadonlyArray<RecordSet>, set) === undefined && !shows(zone, set))
  }
}

/** All places of one name together, as an alias stands alone. */
const ofName = (
  name: string,
  { owned, wanted, zone }: PlanInput
): { readonly steps: ReadonlyArray<Step>; readonly warnings: ReadonlyArray<Warning> } => {
  const here = <A extends { readonly name: string }>(sets: ReadonlyArray<A>) => sets.filter((set) => set.name === name)
  const types = [...new Set([...here(wanted), ...here(owned)].map(({ type }) => type))]
  const places = types.map((type) => planSet({ type, name }, { wanted, zone, owned }))
  const alias = places.find(({ type, wants }) => type === "CNAME" && wants)
  const others = here(zone)
    .filter(({ type }) => type !== "CNAME")
    .filter((set) => places.find(({ type }) => type === set.type)?.after.length !== 0)
  if (alias !== undefined && others.length > 0) {
    const blocked = warning(
      "cname_blocked",
      alias,
      `The alias ${name} cannot be made: ${others.map(({ type }) => type).join(", ")} of the same name ${others.length === 1 ? "stands" : "stand"} there.`
    )
    return together([...places.filter((place) => place !== alias), { ...alias, step: undefined, warnings: [blocked] }])
  }
  // Someone else's alias keeps ours from being: it is the one thing of others that goes and nothing of its type comes.
  const standing = setAt(zone, { type: "CNAME", name })
  const ours = places.find(({ type }) => type === "CNAME")
  const comes = places.filter(({ after, step, type }) => type !== "CNAME" && step !== undefined && after.length > 0)
  if (standing === undefined || alias !== undefined || ours?.after.length === 0 || comes.length === 0)
    return together(places)
  const step: Step = {
    type: "CNAME",
    name,
    ttl: null,
    before: standing.contents,
    after: null,
    owns: [],
    reason: "Makes room: an alias cannot stand beside other records"
  }
  const told = warning(
    "foreign_cname",
    step,
    `The alias ${name} to ${standing.contents.join(", ")} was made by others and gives way to ${comes.map(({ type }) => type).join(", ")}.`
  )
  return together([
    { type: "CNAME", name, wants: false, after: [], step, warnings: [told] },
    ...places.filter((place) => place !== ours)
  ])
}

interface SetPart {
  readonly type: string
  readonly name: string
  readonly wants: boolean
  readonly after: ReadonlyArray<string>
  readonly step: Step | undefined
  readonly warnings: ReadonlyArray<Warning>
}

const together = (places: ReadonlyArray<SetPart>) => ({
  steps: places.flatMap(({ step }) => step ?? []),
  warnings: places.flatMap(({ warnings }) => warnings)
})

const planSet = (
  place: { readonly type: string; readonly name: string },
  { owned, wanted, zone }: Omit<PlanInput, "zoneSets">
): SetPart => {
  const wish = wanted.find((set) => setKey(set) === setKey(place))
  const mine = owned.find((set) => setKey(set) === setKey(place))
  const there = setAt(zone, place)
  const before = there?.contents ?? []
  const { after, owns, warnings } = mergeSet({
    ...place,
    zone: before,
    owned: mine?.contents ?? [],
    wanted: wish?.contents ?? []
  })
  // With others' contents in it the set keeps the time that they gave it.
  const alone = owns.length > 0 && without(place.type, after, owns).length === 0
  const ttl = there !== undefined && !alone ? there.ttl : (wish?.ttl ?? usualTtl)
  const isLater =
    alone &&
    mine !== undefined &&
    mine.ttl !== null &&
    mine.ttl !== ttl &&
    common(place.type, before, mine.contents).length > 0
  const step: Step | undefined =
    sameContents(place.type, before, after) && !isLater
      ? undefined
      : {
          ...place,
          ttl: after.length === 0 ? null : ttl,
          before: there === undefined ? null : before,
          after: after.length === 0 ? null : after,
          owns,
          reason: reasonOf(place, wish, before, after)
        }
  return { ...place, wants: wish !== undefined, after, step, warnings }
}

const sourceWords: Readonly<Record<Source, string>> = {
  platform: "the platform",
  user: "the customer's records",
  mail: "mail"
}

const reasonOf = (
  { name, type }: { readonly type: string; readonly name: string },
  wish: DesiredSet | undefined,
  before: ReadonlyArray<string>,
  after: ReadonlyArray<string>
): string => {
  const forWhom = wish?.sources.map((source) => sourceWords[source]).join(" and ")
  if (forWhom === undefined)
    return after.length === 0 ? "We wrote it, and it is no longer wanted" : "What we wrote into it is no longer wanted"
  if (before.length === 0) return `Wanted by ${forWhom}, and missing`
  if (sameContents(type, before, after)) return `Wanted by ${forWhom} with another time to live`
  return after.some(Spf.isSpf) &&
    before.some(Spf.isSpf) &&
    type === "TXT" &&
    name !== "" &&
    without(type, before, after).every(Spf.isSpf)
    ? `Wanted by ${forWhom}: joined with the SPF text that is there`
    : `Wanted by ${forWhom}, and different`
}

/** Whether the zone still has something of what we wrote. */
const shows = (zone: ReadonlyArray<RecordSet>, set: OwnedSet): boolean => {
  const there = setAt(zone, set)?.contents ?? []
  const terms = set.contents.filter(Spf.isSpf).flatMap(Spf.mechanismsOf)
  return (
    common(set.type, there, set.contents).length > 0 ||
    there.some((text) => Spf.mechanismsOf(text).some((term) => terms.includes(term)))
  )
}

/**
 * The platform first, then mail so that it is signed and allowed before it is led here, aliases, and what goes; room is
 * made right before it is taken.
 */
const inOrder = (steps: ReadonlyArray<Step>): ReadonlyArray<Step> => {
  const comes = steps.filter(({ after }) => after !== null).toSorted((a, b) => rank(a) - rank(b))
  const goes = steps.filter(({ after }) => after === null)
  const placed = new Set<Step>()
  const ordered = comes.flatMap((step) => {
    const room = goes.filter(
      (gone) => gone.name === step.name && (gone.type === "CNAME" || step.type === "CNAME") && !placed.has(gone)
    )
    for (const gone of room) placed.add(gone)
    return [...room, step]
  })
  return [...ordered, ...goes.filter((gone) => !placed.has(gone))]
}

const rank = ({ name, type }: Step): number =>
  type === "A" || type === "AAAA"
    ? 0
    : type === "TXT"
      ? name.includes("_domainkey")
        ? 1
        : name.startsWith("_dmarc")
          ? 3
          : 2
      : type === "MX"
        ? 4
        : type === "CNAME"
          ? 6
          : 5
