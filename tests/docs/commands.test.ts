/**
 * A newcomer's hour by the documents alone: the commands of docs/ as they stand, in a bare Debian with the package
 * beside them. Pages without commands, and blocks of language `text`, are not run; documents.test.ts checks their commands.
 */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { describeBooted } from "#support/BootedSystemd.ts"
import { ensureBuilt } from "#support/Executable.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import { temporaryDirectory } from "#support/Postgres.ts"
import { withMachine } from "../scripts/package/Machine.ts"
import { buildPackages, debianIn } from "../scripts/package/Packages.ts"
import { commandsOf, documents } from "./Documents.ts"

/** Pages with commands, in the order of an installation's life. */
const pages = [
  "quick-start",
  "first-alarm",
  "first-mail-domain",
  "telephony",
  "behind-a-proxy",
  "backup",
  "upgrade",
  "troubleshooting",
  "uninstall"
].map((name) => `docs/${name}.md`)

describePeers(["debian", "caddy"], "the documents", () => {
  describeBooted("in a bare Debian", () => {
    it.live(
      "lead from the package to an alarm, a mail domain, a backup, and back",
      () =>
        Effect.gen(function* () {
          const folder = yield* temporaryDirectory("packages")
          ensureBuilt()
          yield* Effect.promise(() => buildPackages(folder, ["--debian"]))
          yield* withMachine((machine) =>
            Effect.gen(function* () {
              yield* machine.put(debianIn(folder))
              for (const page of pages) {
                yield* machine.system.writeFile("/root/page.sh", `set -eu\ncd /root\n${commandsOf(page)}`)
                const said = yield* machine.sh("bash /root/page.sh 2>&1")
                if (page.endsWith("quick-start.md")) assert.include(said, "delivered: the receiver got the alarm")
                if (page.endsWith("first-alarm.md")) assert.match(said, /CRITICAL:WEBHOOK.*;RETRY:3x5m$/m)
              }
            })
          )
        }).pipe(Effect.scoped),
      600_000
    )
  })

  it("are all run that have commands", () => {
    const withCommands = documents
      .map(({ path }) => path)
      .filter((path) => path.startsWith("docs/") && commandsOf(path) !== "")
    assert.sameMembers(withCommands, pages)
  })

  it("show a configuration that Caddy accepts", () => {
    const [block] = documents.flatMap(({ path, text }) =>
      path === "docs/behind-a-proxy.md"
        ? Array.from(text.matchAll(/^```caddyfile\n(.*?)^```$/gms), ([, one]) => one!)
        : []
    )
    assert.isDefined(block)
    execFileSync("caddy", ["adapt", "--adapter", "caddyfile", "--config", "/dev/stdin"], {
      input: block!,
      stdio: ["pipe", "ignore", "pipe"]
    })
  })
})
