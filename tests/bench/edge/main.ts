// Benchmark of `/verify`: requests of signed-in users and for open sites, as a proxy sends them. Compares with bare
// node:http that does the same in memory, and both behind nginx with the shipped configuration.

import { pause, usage } from "../alarm/Rig.ts"
import { type Figure, figure } from "../Figure.ts"
import { type Measured, note, onStage } from "../load/Stage.ts"
import { inTurns, latencies, type Rate } from "../load/Turns.ts"
import { start as startNginx } from "./Nginx.ts"
import { signIns } from "./SignIns.ts"
import { hostOf, moreSessions, sessions, start as startSubject, type Subject, tokenOf } from "./Subject.ts"

const quick = process.env["SIGNALBOX_BENCH_QUICK"] === "1"
const rounds = quick ? 2 : 9
const warmingUp = quick ? 1 : 2
/** Length of one measurement of one server. Unit: milliseconds. */
const span = quick ? 1_000 : 2_000
/** Steady load. `steadySpan`: milliseconds per round. `steadyRate`: requests per second. */
const steadySpan = quick ? 2_000 : 5_000
const steadyRate = 1_000
const steadyRounds = quick ? 1 : 5

/** Request headers of a browser, which every proxy forwards. */
const browser =
  "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0\r\nAccept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\n" +
  "Accept-Language: de,en-US;q=0.7,en;q=0.3\r\nAccept-Encoding: gzip, deflate, br, zstd\r\nReferer: https://app.example.org/\r\nSec-Fetch-Dest: document\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Site: same-origin\r\n"

const cookies = (n: number | undefined) =>
  `Cookie: theme=dark; _pk_id=1.f6a0c9${n === undefined ? "" : `; __platform_auth=${tokenOf(n)}`}; lang=de\r\n`

/** Authentication request of Traefik and Caddy. */
const question = (host: string, path: string, n: number | undefined) =>
  `GET /verify HTTP/1.1\r\nHost: 127.0.0.1\r\n${browser}${cookies(n)}X-Forwarded-For: 203.0.113.7\r\nX-Forwarded-Host: ${host}\r\nX-Forwarded-Method: GET\r\nX-Forwarded-Proto: https\r\nX-Forwarded-Uri: ${path}\r\n\r\n`

/** Browser request to nginx. */
const visit = (host: string, path: string, n: number | undefined) =>
  `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${browser}${cookies(n)}\r\n`

const pages = ["/", "/shop/items/4711", "/private/area/list?page=2&order=name", "/assets/app.3f2a.js"] as const
const pageOf = (n: number) => pages[n % pages.length]!
const several = Array.from({ length: 4_000 }, (_, n) => n)

/** Requests of signed-in users for protected sites, and of an anonymous visitor for open sites. */
export const questions = () => ({
  signedIn: several.map((n) => question(hostOf(n), pageOf(n), n % sessions)),
  open: several.map((n) => question(`open${n % 20}.example.org`, pageOf(n), undefined))
})

export const run = (): Promise<ReadonlyArray<Figure>> =>
  onStage(async ({ database, floor, folder, inScope, keep, measure: measureAny, p99 }) => {
    const subject = keep(await startSubject(database, folder))
    const bare = await floor("../edge/Floor.ts", subject.order)
    const ours: Measured = subject
    const { open, signedIn } = questions()
    await settled(subject)

    const measure = (of: Measured, requests: ReadonlyArray<string>) => measureAny(of, { requests, expect: "" }, span)
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
    const { cost, rate, ratio } = await inTurns({ rounds, warmingUp }, () => steps)
    const steady = (of: Measured, name: string) => () =>
      p99(of, { requests: signedIn, expect: "" }, { name, duration: steadySpan, rate: steadyRate })
    const late = await latencies(steadyRounds, { bare: steady(bare, "bare"), ours: steady(ours, "ours") })
    const kinds = await signIns(subject.port, database, note, quick)
    const perSession = await memoryOfSessions(subject)

    return [
      figure("/verify signed in, answers a second", rate("signedIn"), "1/s", { floor: rate("bareSignedIn") }),
      figure("/verify signed in, processor time", cost("signedIn"), "µs", { floor: cost("bareSignedIn") }),
      figure("/verify signed in to bare node:http", ratio("signedIn", "bareSignedIn"), "", {
        target: 0.85,
        better: "more"
      }),
      figure("/verify unprotected, answers a second", rate("open"), "1/s", { floor: rate("bareOpen") }),
      figure("/verify unprotected to bare node:http", ratio("open", "bareOpen"), "", { target: 0.85, better: "more" }),
      figure("/verify p99 at 1,000/s", late.ours, "ms", {
        floor: late.bare,
        target: Number((3 * late.bare).toPrecision(4))
      }),
      ...("nginx" in steps
        ? [
            figure("through nginx, answers a second", rate("nginx"), "1/s", { floor: rate("nginxBare") }),
            figure("through nginx to nginx asking a bare server", ratio("nginx", "nginxBare"), "", {
              target: 0.8,
              better: "more"
            })
          ]
        : []),
      ...kinds,
      figure("memory of a session in the picture", perSession, "bytes")
    ]
  })

const verify = (port: number, n: number) =>
  fetch(`http://127.0.0.1:${port}/verify`, {
    redirect: "manual",
    headers: { "x-forwarded-host": hostOf(n), "x-forwarded-uri": "/", cookie: `__platform_auth=${tokenOf(n)}` }
  })

/** Waits until the daemon has loaded the sessions and answers with the user. */
const settled = async ({ port }: Subject): Promise<void> => {
  for (
    let attempt = 0;
    (await verify(port, sessions - 1)).headers.get("x-auth-user") !== `user${((sessions - 1) % 1_000) + 1}@example.org`;
    attempt++
  ) {
    if (attempt === 100) throw new Error("nobody is known at /verify")
    await pause(100)
  }
}

/** Memory growth per added session. Unit: bytes. */
const memoryOfSessions = async (subject: Subject): Promise<number> => {
  const before = usage(subject.pid).node.memory
  await subject.addSessions()
  for (let attempt = 0; (await verify(subject.port, sessions + moreSessions - 1)).status !== 200; attempt++) {
    if (attempt === 100) throw new Error("the sessions did not come to the picture")
    await pause(200)
  }
  return ((usage(subject.pid).node.memory - before) * 1024 * 1024) / moreSessions
}
