// `/verify` in figures: people who are signed in and places that are open, as a proxy asks, beside bare node:http that does the same in
// memory; and nginx with the shipped file that asks the one or the other.

import { Effect, Exit, Scope } from "effect"
import type { ChildProcess } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { start as startPostgres } from "#core/postgres/EmbeddedPostgres.ts"
import { freshDatabaseOn } from "#support/Postgres.ts"
import { pause, usage } from "../alarm/Rig.ts"
import { type Figure, figure, median, quantile } from "../Figure.ts"
import { ask, end, start as startChild } from "../introspection/Child.ts"
import { LoadClient } from "../introspection/LoadClient.ts"
import { start as startNginx } from "./Nginx.ts"
import { signIns } from "./SignIns.ts"
import { hostOf, moreSessions, sessions, start as startSubject, type Subject, tokenOf } from "./Subject.ts"

const quick = process.env["SIGNALBOX_BENCH_QUICK"] === "1"
const rounds = quick ? 2 : 9
const warmingUp = quick ? 1 : 2
/** One measure of one server. Unit: milliseconds. */
const span = quick ? 1_000 : 2_000
/** The steady load. Unit: milliseconds; questions a second. */
const steadySpan = quick ? 2_000 : 5_000
const steadyRate = 1_000
const steadyRounds = quick ? 1 : 5

const note = (text: string) => process.stderr.write(`${text}\n`)

interface Measured {
  readonly pid: number
  readonly port: number
}

interface Rate {
  readonly rate: number
  readonly cost: number
}

/** A browser's headers, as every proxy passes them on. */
const browser = "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0\r\nAccept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\n" +
  "Accept-Language: de,en-US;q=0.7,en;q=0.3\r\nAccept-Encoding: gzip, deflate, br, zstd\r\nReferer: https://app.example.org/\r\nSec-Fetch-Dest: document\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Site: same-origin\r\n"

const cookies = (n: number | undefined) => `Cookie: theme=dark; _pk_id=1.f6a0c9${n === undefined ? "" : `; __platform_auth=${tokenOf(n)}`}; lang=de\r\n`

/** As Traefik and Caddy ask. */
const question = (host: string, path: string, n: number | undefined) =>
  `GET /verify HTTP/1.1\r\nHost: 127.0.0.1\r\n${browser}${cookies(n)}X-Forwarded-For: 203.0.113.7\r\nX-Forwarded-Host: ${host}\r\nX-Forwarded-Method: GET\r\nX-Forwarded-Proto: https\r\nX-Forwarded-Uri: ${path}\r\n\r\n`

/** As a browser asks nginx. */
const visit = (host: string, path: string, n: number | undefined) => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${browser}${cookies(n)}\r\n`

const pages = ["/", "/shop/items/4711", "/private/area/list?page=2&order=name", "/assets/app.3f2a.js"] as const
const pageOf = (n: number) => pages[n % pages.length]!
const several = Array.from({ length: 4_000 }, (_, n) => n)

/** People who are signed in at protected places, and somebody at places that are open. */
export const questions = () => ({
  signedIn: several.map((n) => question(hostOf(n), pageOf(n), n % sessions)),
  open: several.map((n) => question(`open${n % 20}.example.org`, pageOf(n), undefined))
})

export const run = async (): Promise<ReadonlyArray<Figure>> => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-bench-"))
  const scope = Effect.runSync(Scope.make())
  const inScope = <A, E>(effect: Effect.Effect<A, E, Scope.Scope>) => Effect.runPromise(Scope.provide(effect, scope))
  const client = new LoadClient()
  let subject: Subject | undefined
  let child: ChildProcess | undefined
  try {
    const server = await inScope(startPostgres({ dataDir: join(folder, "postgres"), fsync: true }))
    const database = await inScope(freshDatabaseOn(server.socketDir))
    subject = await startSubject(database, join(folder, "var"))
    child = startChild("../edge/Floor.ts")
    const bare: Measured = { pid: child.pid!, ...(await ask<{ port: number }>(child, subject.order)) }
    const ours: Measured = subject
    const { open, signedIn } = questions()
    await settled(subject)

    const measure = async (of: Measured, requests: ReadonlyArray<string>): Promise<Rate> => {
      const before = usage(of.pid).node.cpu
      const outcome = await client.run({ kind: "closed", port: of.port, requests, expect: "", duration: span })
      return { rate: (outcome.answered / outcome.elapsed) * 1_000, cost: ((usage(of.pid).node.cpu - before) / outcome.answered) * 1e6 }
    }
    const steps: Record<string, () => Promise<Rate>> = {
      bareSignedIn: () => measure(bare, signedIn),
      signedIn: () => measure(ours, signedIn),
      bareOpen: () => measure(bare, open),
      open: () => measure(ours, open)
    }
    const [nginxBare, nginxOurs] = [await inScope(startNginx(bare.port)), await inScope(startNginx(ours.port))]
    if (nginxBare !== undefined && nginxOurs !== undefined) {
      const visits = several.map((n) => visit(hostOf(n), "/", n % sessions))
      steps["nginxBare"] = () => measure({ ...bare, port: nginxBare }, visits)
      steps["nginx"] = () => measure({ ...ours, port: nginxOurs }, visits)
    } else note("no nginx here: without its figure")
    const seen = new Map(Object.keys(steps).map((name) => [name, [] as Array<Rate>]))
    for (let round = 1 - warmingUp; round <= rounds; round++) {
      const said: Array<string> = []
      // Every other round goes the other way, so that a machine that slows down slows no server more than another.
      for (const [name, step] of round % 2 === 0 ? Object.entries(steps) : Object.entries(steps).toReversed()) {
        const rate = await step()
        if (round > 0) seen.get(name)!.push(rate)
        said.push(`${name} ${rate.rate.toFixed(0)}/s ${rate.cost.toFixed(0)} µs`)
      }
      note(`round ${round}: ${said.join(", ")}${round > 0 ? "" : " (warming up)"}`)
    }

    const steady = async (of: Measured): Promise<number> => {
      const { latencies } = await client.run({ kind: "open", port: of.port, requests: signedIn, expect: "", duration: steadySpan, rate: steadyRate })
      note(`steady, ${of === ours ? "ours" : "bare"}: p50 ${median(latencies).toFixed(2)} ms, p99 ${quantile(latencies, 0.99).toFixed(2)} ms`)
      return quantile(latencies, 0.99)
    }
    const p99s = { bare: [] as Array<number>, ours: [] as Array<number> }
    for (let round = 0; round < steadyRounds; round++) {
      p99s.bare.push(await steady(bare))
      p99s.ours.push(await steady(ours))
    }
    const kinds = await signIns(subject.port, database, note, quick)
    const perSession = await memoryOfSessions(subject)

    const rate = (name: string) => median(seen.get(name)!.map((one) => one.rate))
    const cost = (name: string) => median(seen.get(name)!.map((one) => one.cost))
    const ratio = (a: string, b: string) => median(seen.get(a)!.map((one, round) => one.rate / seen.get(b)![round]!.rate))
    const p99 = median(p99s.bare)
    return [
      figure("/verify signed in, answers a second", rate("signedIn"), "1/s", { floor: rate("bareSignedIn") }),
      figure("/verify signed in, processor time", cost("signedIn"), "µs", { floor: cost("bareSignedIn") }),
      figure("/verify signed in to bare node:http", ratio("signedIn", "bareSignedIn"), "", { target: 0.85, better: "more" }),
      figure("/verify unprotected, answers a second", rate("open"), "1/s", { floor: rate("bareOpen") }),
      figure("/verify unprotected to bare node:http", ratio("open", "bareOpen"), "", { target: 0.85, better: "more" }),
      figure("/verify p99 at 1,000/s", median(p99s.ours), "ms", { floor: p99, target: Number((3 * p99).toPrecision(4)) }),
      ...seen.has("nginx")
        ? [
          figure("through nginx, answers a second", rate("nginx"), "1/s", { floor: rate("nginxBare") }),
          figure("through nginx to nginx asking a bare server", ratio("nginx", "nginxBare"), "", { target: 0.8, better: "more" })
        ]
        : [],
      ...kinds,
      figure("memory of a session in the picture", perSession, "bytes")
    ]
  } finally {
    await client.end()
    await subject?.end()
    if (child !== undefined) await end(child)
    await Effect.runPromise(Scope.close(scope, Exit.void))
    rmSync(folder, { recursive: true, force: true })
  }
}

const verify = (port: number, n: number) =>
  fetch(`http://127.0.0.1:${port}/verify`, { redirect: "manual", headers: { "x-forwarded-host": hostOf(n), "x-forwarded-uri": "/", cookie: `__platform_auth=${tokenOf(n)}` } })

/** Until the picture is filled, and tells who it is. */
const settled = async ({ port }: Subject): Promise<void> => {
  for (let attempt = 0; (await verify(port, sessions - 1)).headers.get("x-auth-user") !== `user${((sessions - 1) % 1_000) + 1}@example.org`; attempt++) {
    if (attempt === 100) throw new Error("nobody is known at /verify")
    await pause(100)
  }
}

/** What the process grew by, a session. Unit: bytes. */
const memoryOfSessions = async (subject: Subject): Promise<number> => {
  const before = usage(subject.pid).node.memory
  await subject.addSessions()
  for (let attempt = 0; (await verify(subject.port, sessions + moreSessions - 1)).status !== 200; attempt++) {
    if (attempt === 100) throw new Error("the sessions did not come to the picture")
    await pause(200)
  }
  return ((usage(subject.pid).node.memory - before) * 1024 * 1024) / moreSessions
}
