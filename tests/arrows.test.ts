import { formatViolation, scanArrows } from "#support/Arrows.ts"
import { importsOf } from "#support/Imports.ts"
import { readSourceTree } from "#support/SourceTree.ts"
import { join } from "node:path"
import { describe, expect, it } from "vitest"

const scan = (path: string, text: string) => scanArrows([{ path, text }]).map(formatViolation)

describe("arrows", () => {
  it("hold in the whole tree", () => {
    const files = readSourceTree(join(import.meta.dirname, ".."))
    expect(files.map((file) => file.path)).toContain("tests/arrows.test.ts")
    expect(scanArrows(files).map(formatViolation)).toEqual([])
  })

  const head = `import { Effect } from "effect"\n\n`
  it.each([
    [
      "a daemon importing a daemon by alias",
      "daemons/alarm-bridge/Handlers.ts",
      `import { run } from "#daemons/comm-dispatcher/Run.ts"`,
      "daemons/alarm-bridge imports daemons/comm-dispatcher"
    ],
    [
      "a daemon importing a daemon by path",
      "daemons/alarm-bridge/a/B.ts",
      `export * from "../../comm-dispatcher/Run.ts"`,
      "daemons/alarm-bridge imports daemons/comm-dispatcher"
    ],
    [
      "only a type of another daemon",
      "daemons/alarm-bridge/Api.ts",
      `import type { Run } from "../comm-dispatcher/Run.ts"`,
      "daemons/alarm-bridge imports daemons/comm-dispatcher"
    ],
    [
      "a type in place",
      "daemons/alarm-bridge/Api.ts",
      `type R = import("../comm-dispatcher/Run.ts").Run`,
      "daemons/alarm-bridge imports daemons/comm-dispatcher"
    ],
    [
      "a late import",
      "daemons/alarm-bridge/Api.ts",
      `const m = await import(/* later */ "../comm-dispatcher/Run.ts")`,
      "daemons/alarm-bridge imports daemons/comm-dispatcher"
    ],
    [
      "a worker of another daemon",
      "daemons/alarm-bridge/Api.ts",
      `new Worker(new URL("../comm-dispatcher/W.ts", import.meta.url))`,
      "daemons/alarm-bridge imports daemons/comm-dispatcher"
    ],
    [
      "the list of daemons",
      "daemons/alarm-bridge/Api.ts",
      `import { suite } from "../Suite.ts"`,
      "daemons/alarm-bridge imports daemons/Suite.ts"
    ],
    [
      "a daemon importing test support",
      "daemons/alarm-bridge/Api.ts",
      `import { x } from "#support/X.ts"`,
      "a daemon imports tests"
    ],
    [
      "a protocol importing core",
      "protocols/smtp/Reply.ts",
      `import { Backoff } from "#core/supervision/Backoff.ts"`,
      "protocols/smtp imports core"
    ],
    [
      "a protocol importing a protocol",
      "protocols/smtp/Reply.ts",
      `export { a, type B } from "../imap/A.ts"`,
      "protocols/smtp imports protocols/imap"
    ],
    [
      "a protocol importing a daemon",
      "protocols/smtp/Reply.ts",
      `import "../../daemons/main.ts"`,
      "protocols/smtp imports daemons"
    ],
    [
      "core importing a protocol",
      "core/Http.ts",
      `import * as Imap from "#protocols/imap/Imap.ts"`,
      "core imports protocols/imap"
    ],
    [
      "core importing a daemon",
      "core/Http.ts",
      `import d, { type E } from "#daemons/identity/Daemon.ts"`,
      "core imports daemons"
    ],
    ["core importing test support", "core/Http.ts", `import { x } from "../tests/support/X.ts"`, "core imports tests"],
    [
      "the console importing a daemon",
      "console/pages/mail/Page.tsx",
      `import type { Mail } from "../../../daemons/mail-watcher/Api.ts"`,
      "the console imports daemons/mail-watcher/Api.ts"
    ],
    [
      "the console importing more than an interface",
      "console/lib/Endpoints.ts",
      `import type { Run } from "../../daemons/comm-dispatcher/Run.ts"`,
      "the console imports daemons/comm-dispatcher/Run.ts"
    ],
    [
      "a daemon importing the console",
      "daemons/alarm-bridge/Api.ts",
      `import { call } from "../../console/lib/Call.ts"`,
      "a daemon imports console"
    ],
    [
      "an old module of effect",
      "core/Http.ts",
      `import { HttpApi } from "effect/unstable/http"`,
      "effect/unstable/http does not exist"
    ],
    [
      "the platform of Effect 3",
      "daemons/main.ts",
      `import { HttpServer } from "@effect/platform"`,
      "@effect/platform belongs to Effect 3"
    ],
    [
      "the schema of Effect 3",
      "tests/x.test.ts",
      `import * as S from "@effect/schema/Schema"`,
      "@effect/schema/Schema belongs to Effect 3"
    ]
  ])("%s is reported with file and line", (_, path, line, message) => {
    expect(scan(path, `${head}${line}\n`)).toEqual([expect.stringContaining(`${path}:3: ${message}`)])
  })

  describe("between features", () => {
    const files = [
      { path: "daemons/a/one/Feature.ts", text: "" },
      { path: "daemons/a/two/Feature.ts", text: "" }
    ]
    const found = (path: string, text: string) => scanArrows([...files, { path, text }]).map(formatViolation)

    it.each([
      ["daemons/a/one/X.ts", `import { y } from "../two/Y.ts"`],
      ["daemons/a/one/deep/X.ts", `import type { Y } from "#daemons/a/two/Api.ts"`],
      ["daemons/a/one/X.ts", `import { two } from "../two/Feature.ts"`],
      ["daemons/a/Daemon.ts", `import { y } from "./two/Y.ts"`],
      ["daemons/Commands.ts", `import { y } from "./a/two/Y.ts"`],
      ["daemons/a/Commands.ts", `import { y } from "./two/Y.ts"`]
    ])("%s may not: %s", (path, text) => {
      expect(found(path, text)).toEqual([expect.stringContaining("is entered by its Exports.ts only")])
    })

    it.each([
      ["daemons/a/one/X.ts", `import { y } from "../two/Exports.ts"; import { z } from "./deep/Z.ts"`],
      ["daemons/a/Daemon.ts", `import { two } from "./two/Feature.ts"`],
      ["daemons/Commands.ts", `import { y } from "./a/two/Commands.ts"`],
      ["daemons/a/Commands.ts", `import { y } from "./two/Commands.ts"`],
      ["tests/daemons/a/two/Y.test.ts", `import { y } from "#daemons/a/two/Y.ts"`]
    ])("%s may: %s", (path, text) => {
      expect(found(path, text)).toEqual([])
    })
  })

  it.each([
    ["console/lib/Endpoints.ts", `import type { CommApi } from "../../daemons/comm-dispatcher/Api.ts"`],
    ["console/wake-word/StreamResampler.ts", `import { resample } from "../../protocols/wake-word/Resample.ts"`],
    [
      "daemons/alarm-bridge/Api.ts",
      `import { a } from "#core/A.ts"; import { b } from "#protocols/smtp/B.ts"; import { c } from "./c/C.ts"`
    ],
    ["daemons/alarm-bridge/c/C.ts", `import { a } from "../Api.ts"; import { d } from "#daemons/alarm-bridge/D.ts"`],
    [
      "daemons/alarm-bridge/Api.ts",
      `new URL("../../node_modules/pg-boss/x.js", import.meta.url); import pg from "pg-boss"`
    ],
    ["daemons/Suite.ts", `import { alarmBridge } from "./alarm-bridge/Daemon.ts"`],
    [
      "core/supervision/Supervisor.ts",
      `import { notify } from "#protocols/systemd/Notify.ts"; import "node:fs"; import { HttpApi } from "effect/http-api"`
    ],
    ["core/contracts/Alarm.ts", `import { x } from "../X.ts"`],
    ["protocols/smtp/Reply.ts", `import type { Exchange } from "../http/Exchange.ts"`],
    ["protocols/smtp/Reply.ts", `import { a } from "./Code.ts"; import { NodeSocket } from "@effect/platform-node"`],
    [
      "tests/daemons/x.test.ts",
      `import { a } from "#daemons/alarm-bridge/status/Api.ts"; import { b } from "#daemons/identity/Api.ts"`
    ],
    ["scripts/build.ts", `import { suite } from "../daemons/Suite.ts"`]
  ])("%s may: %s", (path, text) => {
    expect(scan(path, text)).toEqual([])
  })
})

describe("importsOf", () => {
  it("takes comments, strings, templates and regular expressions for what they are", () => {
    const text = [
      `// import "a"`,
      `/* import "b"`,
      `export * from "c" */`,
      'const t = `import "d" ${`${{ x: 1 }.x} import("e")` + (await import("real-1"))} import "f"`',
      `const s = 'import "g"'`,
      `const r = /import "h\\/[/"]/.test("i") ? 4 / 2 / 1 : /"/`,
      `loader.import("j"); a.require("k"); const from = "l"; export const x = { from: "m" }`,
      `import.meta.url; new URL("./n.ts", base); new URL("https://o", import.meta.url)`,
      `import real2, * as all from 'real-2'`,
      `import {`,
      `  type A as B, from,`,
      `} from "real-3" with { type: "json" }`,
      `export * as ns from "real-4"; require("real-5"); import.meta.resolve("real-6")`,
      `export { x as "y" }; import "real-7"`
    ].join("\n")
    expect(importsOf(text).map((found) => `${found.line} ${found.specifier}`)).toEqual([
      "4 real-1",
      "9 real-2",
      "10 real-3",
      "13 real-4",
      "13 real-5",
      "13 real-6",
      "14 real-7"
    ])
  })

  it("passes over characters with which no token begins, such as those of the text of JSX", () => {
    expect(importsOf('const a = <p>#{count} # §</p>\nimport b from "real"').map(({ specifier }) => specifier)).toEqual([
      "real"
    ])
  })
})
