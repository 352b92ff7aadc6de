/**
 * A real host from nothing to a received mail: the commands of systemd/README.md in a booted systemd, with the shipped
 * units, Debian's mail server and nginx. Then every operation and every actor once, and a reboot with a late Postgres.
 */
import { assert, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { oldestMajor } from "#core/postgres/ServerBinaries.ts"
import { endpointsOf } from "#core/http/Methods.ts"
import { daemons } from "#daemons/Suite.ts"
import { BootedSystemd, BootedSystemdError, describeBooted } from "#support/BootedSystemd.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import { temporaryDirectory } from "#support/Postgres.ts"
import { chapters, commandsOf } from "./Document.ts"
import { refusedByHandler } from "./Examples.ts"
import {
  allBecome,
  bash,
  checkout,
  commandTimeout,
  eventually,
  installPackages,
  installStandIns,
  postgresUnit
} from "./Host.ts"
import type { Called, SweptDaemon } from "./Sweep.ts"

const long = process.env["SIGNALBOX_TEST_LONG"] !== undefined

/** How late Postgres comes after the reboot. */
const late = Duration.seconds(long ? 60 : 2)

const target = "signalbox.target"
const units = daemons.map(({ name }) => `signalbox@${name}.service`)

const mailChapter = "From nothing to a received mail"
const failureChapter = "Behaviour"
const wholeChapter = "Everything in one process"

/** Runs as root in the machine, as the administrator of Postgres. */
const sql = (statement: string) => bash(`runuser -u postgres -- psql -qc "${statement}"`)

interface Credentials {
  readonly token: string
  readonly email: string
  readonly password: string
}

/** Runs the chapter. Its shell also tells the credentials that it made. */
const install = Effect.map(
  bash(`set -eu\n${commandsOf(mailChapter)}\nprintf '\\n%s\\n%s\\n%s' "$token" "anna@$mail_domain" "$password"`),
  (printed): Credentials => {
    const [token = "", email = "", password = ""] = printed.split("\n").slice(-3)
    return { token, email, password }
  }
)

const sweptDaemons: ReadonlyArray<SweptDaemon> = daemons.map(({ api, name, port, routes }) => {
  const paths = endpointsOf(api).map(({ path }) => path)
  const prefixes = routes.map(({ prefix }) => prefix)
  return { name, port, otherRoutes: prefixes.filter((prefix) => !paths.some((path) => path.startsWith(prefix))) }
})

/** Every operation of every daemon once. Returns what is wrong. */
const sweep = Effect.fnUntraced(function* ({ email, password, token }: Credentials) {
  const printed = yield* bash(`exec bin/pinned-node tests/whole/Sweep.ts '${token}' '${email}' '${password}' \
    '${JSON.stringify(sweptDaemons)}'`)
  const called: ReadonlyArray<Called> = JSON.parse(printed)
  assert.isAbove(called.length, 290)
  return called
    .filter(
      ({ code, operation, status }) =>
        status === 0 || status === 500 || (code === "invalid_request" && !refusedByHandler.has(operation))
    )
    .map(({ daemon, detail, operation, status }) => `${daemon}: ${operation}: ${status} ${detail}`)
})

interface ActorNow {
  readonly name: string
  readonly state: string
  readonly stalled: boolean
  readonly last_progress?: string
  readonly last_failure?: { readonly at: string; readonly message: string }
}

/**
 * Whether the actor's last failure counts. On a busy machine a connection to Postgres may take too long when all
 * daemons start at once; the actor has then run since.
 */
const failed = ({ last_failure: failure, last_progress: progress = "" }: ActorNow): boolean =>
  failure !== undefined && !(failure.message.endsWith("Connection timed out") && failure.at < progress)

/** Health after the sweep, where it is not `ok`: an unsigned event of a payment provider was accepted. */
const afterSweep: Readonly<Record<string, string>> = { "bank-fetcher": "degraded" }

/** Waits until every daemon is ok, or has the status of `expected`, and each of its actors has run without failure. */
const allActorsRun = (token: string, expected: Readonly<Record<string, string>> = {}) =>
  eventually(
    60,
    Effect.flatMap(wrongActors(token, expected), (wrong) =>
      wrong.length === 0 ? Effect.void : new BootedSystemdError({ reason: "CommandFailed", message: wrong.join("\n") })
    )
  )

/** Follows the answer of each daemon. */
const between = "#end of answer#"

/** Daemons in another status than expected, and actors that have not run, or have failed. */
const wrongActors = Effect.fnUntraced(function* (token: string, expected: Readonly<Record<string, string>>) {
  const wrong: Array<string> = []
  const printed = yield* bash(`set -e
    for port in ${daemons.map(({ port }) => port).join(" ")}; do
      curl -sS -H 'x-service-token: ${token}' http://127.0.0.1:$port/health; printf '${between}'
    done`)
  for (const [index, text] of printed.split(between).slice(0, -1).entries()) {
    const { name } = daemons[index]!
    const { actors, status }: { actors: ReadonlyArray<ActorNow>; status: string } = JSON.parse(text)
    assert.isNotEmpty(actors, name)
    if (status !== (expected[name] ?? "ok")) wrong.push(`${name} is ${status}: ${text}`)
    for (const actor of actors) {
      if (actor.last_progress === undefined || failed(actor) || actor.stalled)
        wrong.push(`${name}: ${JSON.stringify(actor)}`)
    }
  }
  return wrong
})

/** Fails when a daemon has logged an error or a stack trace while it waited for Postgres. */
const waitedQuietly = Effect.gen(function* () {
  const system = yield* BootedSystemd
  for (const unit of units) {
    const [waiting = "", ...rest] = (yield* system.journal(unit)).split("Postgres answers")
    assert.isNotEmpty(rest, unit)
    assert.notMatch(waiting, /^<[0-3]> |^<\d> +at |\\n +at /m, unit)
  }
})

const active = (unit: Readonly<Record<string, string>>) =>
  unit["ActiveState"] === "active" && (unit["NRestarts"] ?? "0") === "0"

const allActive = allBecome([...units, target], ["ActiveState", "NRestarts"], active)

const host = (body: Effect.Effect<void, unknown, BootedSystemd>) =>
  Effect.gen(function* () {
    const disk = yield* temporaryDirectory("host")
    yield* Effect.provide(
      Effect.andThen(installStandIns, body),
      BootedSystemd.layerWith({ mountpoint: checkout, disk, commandTimeout })
    )
  }).pipe(Effect.scoped)

const realHost = (major: number) =>
  Effect.gen(function* () {
    const system = yield* BootedSystemd
    yield* installPackages(major)
    const credentials = yield* install
    yield* allActive
    assert.deepStrictEqual(yield* sweep(credentials), [])
    yield* allActorsRun(credentials.token, afterSweep)

    // First Postgres is away, then it has no free connection.
    yield* sql("alter role signalbox connection limit 0")
    yield* system.reboot
    const waits = (reason: RegExp) =>
      allBecome(
        units,
        ["ActiveState", "StatusText"],
        (now) => now["ActiveState"] === "activating" && reason.test(now["StatusText"] ?? "")
      )
    yield* waits(/^waiting for Postgres: .*ECONNREFUSED/)
    yield* Effect.sleep(late)
    yield* bash(`systemctl start ${postgresUnit(major)}`)
    yield* waits(/^waiting for Postgres: .*too many connections/)
    yield* sql("alter role signalbox connection limit -1")
    yield* allActive
    yield* allActorsRun(credentials.token)
    yield* waitedQuietly
  })

const upUnit = "signalbox.service"

/** Everything in one process: starts, is restarted when the watchdog starves, and leaves nothing behind. */
const oneProcess = Effect.gen(function* () {
  const system = yield* BootedSystemd
  yield* system.writeFile(`/etc/systemd/system/${upUnit}.d/test.conf`, "[Service]\nWatchdogSec=10\n")
  yield* bash(`set -eu\n${commandsOf(wholeChapter)}`)
  const healthy = eventually(60, bash(`curl -fsS http://127.0.0.1:8080/health | grep '"status": *"ok"'`))
  yield* healthy
  const { MainPID: pid } = yield* system.show(upUnit, "MainPID")
  yield* system.run("kill", "-STOP", pid ?? "")
  yield* allBecome(
    [upUnit],
    ["ActiveState", "NRestarts"],
    (now) => now["ActiveState"] === "active" && now["NRestarts"] === "1"
  )
  assert.match(yield* system.journal(upUnit), /Watchdog timeout/)
  yield* healthy
  const begun = performance.now()
  yield* system.systemctl("stop", upUnit)
  // The program stops within 20 s.
  assert.isBelow(performance.now() - begun, 20_000)
  assert.strictEqual((yield* system.show(upUnit, "Result"))["Result"], "success")
  // No process of the user remains, inside or outside the unit's cgroup.
  const left = yield* system.run("sh", "-c", "for p in /proc/[0-9]*; do stat -c %U $p; done | grep -c '^signalbox$'")
  assert.strictEqual(left.stdout.trim(), "0")
})

describePeers(["postgres15", "nginx", "dovecot", "postfix", "rspamd", "swaks"], "a real host", () => {
  describeBooted("by its document", () => {
    it.live(
      `Debian's Postgres ${oldestMajor}: from nothing to a received mail, every operation, and a late Postgres`,
      () => host(realHost(oldestMajor)),
      900_000
    )

    it.live.runIf(long)("Postgres 18: the same", () => host(realHost(18)), 900_000)

    it.live("everything in one process", () => host(oneProcess), 300_000)

    it("every command of the document is run by a test", () => {
      assert.deepStrictEqual(
        chapters.map(({ title }) => title),
        [mailChapter, wholeChapter, failureChapter]
      )
    })
  })
})
