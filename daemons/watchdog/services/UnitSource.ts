/**
 * Units of systemd. Their state comes from `systemctl show`, which needs no rights; without a bus, as in a container,
 * from the root helper. Logs and restarts come from the root helper only, where there is one.
 *
 * The library dbus-native is unmaintained, and dbus-next needs a bus and a native module for file descriptors; both
 * would be new parsers of foreign input. `systemctl` is on every host with systemd, and costs 10 ms a call.
 */
import { Effect, type Scope, Stream } from "effect"
import { makeLines } from "./ByteLines.ts"
import { maxEntry, readEntry } from "./Journal.ts"
import { output, streamed } from "./Program.ts"
import * as RootClient from "./RootClient.ts"
import { covers } from "./ServicePatterns.ts"
import type { Line, Snapshot } from "./Snapshot.ts"
import { sourceError, type SourceError } from "./SourceError.ts"
import { maxUnits } from "./root-helper/Verbs.ts"
import { shownProperties } from "./UnitProperties.ts"
import { readUnitNames, readUnits } from "./Units.ts"

export interface UnitSource {
  readonly list: Effect.Effect<ReadonlyArray<Snapshot>, SourceError>
  readonly find: (unit: string) => Effect.Effect<Snapshot, SourceError>
  readonly restart: (unit: string) => Effect.Effect<void, SourceError>
  readonly logs: (
    unit: string,
    options: { readonly lines: number; readonly follow: boolean }
  ) => Effect.Effect<Stream.Stream<Line, SourceError>, SourceError, Scope.Scope>
}

/** `patterns`: units that the list shows. */
export const make = (rootSocket: string, patterns: ReadonlyArray<string>): UnitSource => {
  /** Without a bus systemctl fails at once; the helper then asks systemd itself. */
  const asked = (args: ReadonlyArray<string>, verb: Parameters<typeof RootClient.call>[1]) =>
    Effect.catch(output("systemctl", args), (error) =>
      error.reason._tag === "Failed" && RootClient.isInstalled(rootSocket)
        ? Effect.map(RootClient.call(rootSocket, verb), String)
        : Effect.fail(error)
    )

  const show = (units: ReadonlyArray<string>) =>
    units.length === 0
      ? Effect.succeed([])
      : Effect.map(
          asked(["show", "--no-pager", `--property=${shownProperties}`, "--", ...units], { verb: "show_units", units }),
          (text) => readUnits(text, { wall: Date.now(), monotonic: Number(process.hrtime.bigint() / 1_000n) })
        )

  return {
    list: Effect.gen(function* () {
      const loaded = readUnitNames(
        yield* asked(["list-units", "--all", "--full", "--plain", "--no-legend", "--no-pager", "--type=service"], {
          verb: "list_units"
        })
      )
      const named = patterns.filter((pattern) => !pattern.includes("*"))
      const shown = loaded.filter((name) => patterns.some((pattern) => covers(pattern, name)))
      const found = yield* show([...new Set([...shown, ...named])].slice(0, maxUnits))
      // Two names of the list may be one unit.
      return [...new Map(found.map((unit) => [unit.name, unit])).values()]
    }),
    find: (unit) =>
      Effect.flatMap(show([unit]), ([found]) =>
        found === undefined ? Effect.fail(sourceError({ _tag: "NoSuchService" })) : Effect.succeed(found)
      ),
    restart: (unit) => Effect.asVoid(RootClient.call(rootSocket, { verb: "restart_unit", unit })),
    logs: (unit, { follow, lines }) =>
      Effect.map(
        RootClient.isInstalled(rootSocket)
          ? RootClient.journal(rootSocket, { verb: "journal", unit, lines, follow })
          : streamed("journalctl", journalArguments(unit, lines, follow)),
        (bytes) => {
          const split = makeLines(maxEntry)
          return bytes.pipe(
            Stream.map((chunk) => split.push(chunk)),
            Stream.flatMap((found) => Stream.fromIterable(found)),
            Stream.map(readEntry),
            Stream.filter((line) => line !== undefined)
          )
        }
      )
  }
}

/** A user of the group systemd-journal reads the journal without the helper. */
const journalArguments = (unit: string, lines: number, follow: boolean): ReadonlyArray<string> => [
  "--no-pager",
  "--quiet",
  "--all",
  "--output=json",
  "--output-fields=MESSAGE,PRIORITY",
  `--lines=${lines}`,
  // --follow implies --boot, which reads a file that the sandbox hides (ProcSubset=pid). --merge prevents that. It also
  // shows journals that other machines sent here.
  ...(follow ? ["--follow", "--merge"] : []),
  `--unit=${unit}`
]
