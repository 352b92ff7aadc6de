/**
 * Computes the steps from the current zone to the desired record sets; each step changes one set. Changes only our own
 * sets and missing sets; a warning names everything else that a step replaces. Pure.
 */
import { common, setKey, sameContents, setAt, without } from "../record-sets/CanonicalContent.ts"
import { mergeSet } from "./SetMerge.ts"
import * as Spf from "../record-sets/Spf.ts"
import { type Source, usualTtl, type DesiredSet } from "../record-sets/DesiredSets.ts"
import { type Warning, warning } from "../record-sets/PlanWarning.ts"
import type { OwnedSet } from "../domain-store/OwnedSets.ts"
import type { RecordSet } from "../record-sets/RecordSet.ts"

/** Highest share of a zone that a plan may change without `force`. */
export const maxShare = 0.3

/**
 * Smallest zone to which `maxShare` applies, because any plan is a large share of a smaller zone. Unit: record sets.
 */
export const shareFrom = 10

export interface Step {
  readonly type: string
  /** Relative to the domain; `@`: the domain itself. */
  readonly name: string
  /** TTL to write. Unit: seconds; null: the zone's default. */
  readonly ttl: number | null
  /** Null: no such set. */
  readonly before: ReadonlyArray<string> | null
  /** Null: remove the set. */
  readonly after: ReadonlyArray<string> | null
  /** Our part of `after`. */
  readonly owns: ReadonlyArray<string>
  /** English text. */
  readonly reason: string
}

export interface PlanInput {
  readonly wanted: ReadonlyArray<DesiredSet>
  /** The domain's part of the zone; names are relative to the domain. */
  readonly zone: ReadonlyArray<RecordSet>
  readonly owned: ReadonlyArray<OwnedSet>
  /** Number of record sets in the whole zone. */
  readonly zoneSets: number
}

export interface Plan {
  /** In the order of execution. */
  readonly steps: ReadonlyArray<Step>
  readonly warnings: ReadonlyArray<Warning>
  /** Share of the zone's record sets that the plan changes; above 1 when most are new. */
  readonly share: number
  /** Whether applying needs `force`. */
  readonly stopped: boolean
  /** Our sets that are no longer desired and no longer in the zone. */
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

/** Plans all sets of one name together, because a CNAME excludes other records. */
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
      `The CNAME ${name} cannot be written, because the name has other records: ` +
        `${others.map(({ type }) => type).join(", ")}.`
    )
    return together([...places.filter((place) => place !== alias), { ...alias, step: undefined, warnings: [blocked] }])
  }
  // A foreign CNAME blocks our records. It is the only foreign set that a plan removes without a replacement of its
  // type.
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
    reason: "Removed, because a CNAME must be the only record of its name"
  }
  const told = warning(
    "foreign_cname",
    step,
    `The CNAME ${name} to ${standing.contents.join(", ")} belongs to a third party and is replaced by ` +
      `${comes.map(({ type }) => type).join(", ")}.`
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
  // A set with foreign contents keeps its foreign TTL.
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
    return after.length === 0
      ? "We wrote these records; nobody requires them any longer"
      : "Nobody requires our part any longer"
  if (before.length === 0) return `Required by ${forWhom}; missing in the zone`
  if (sameContents(type, before, after)) return `Required by ${forWhom}; the time to live differs`
  return after.some(Spf.isSpf) &&
    before.some(Spf.isSpf) &&
    type === "TXT" &&
    name !== "" &&
    without(type, before, after).every(Spf.isSpf)
    ? `Required by ${forWhom}; merged into the existing SPF text`
    : `Required by ${forWhom}; the content differs`
}

/** Whether the zone still contains a part of our set. */
const shows = (zone: ReadonlyArray<RecordSet>, set: OwnedSet): boolean => {
  const there = setAt(zone, set)?.contents ?? []
  const terms = set.contents.filter(Spf.isSpf).flatMap(Spf.mechanismsOf)
  return (
    common(set.type, there, set.contents).length > 0 ||
    there.some((text) => Spf.mechanismsOf(text).some((term) => terms.includes(term)))
  )
}

/**
 * Order of the steps: platform first, then mail (DKIM and SPF before MX), then CNAMEs, then removals. A removal that
 * makes room for a CNAME, or removes one, comes right before the step that needs the room.
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
