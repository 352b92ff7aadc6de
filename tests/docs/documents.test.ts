/** The documents: links, settings, commands and tables that name everything. */
import { execFileSync } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, posix } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { Environment } from "#core/config/Environment.ts"
import { checkSettings } from "#core/daemon/Suite.ts"
import { daemons } from "#daemons/Suite.ts"
import type { CommandPage } from "../../scripts/package/CommandTree.ts"
import { drawContracts, withDrawing } from "../../scripts/draw/Contracts.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import { readSourceTree } from "#support/SourceTree.ts"
import packageJson from "../../package.json" with { type: "json" }
import { anchorsOf, blocksOf, documentAt, documents, proseOf, root, spansOf } from "./Documents.ts"

const pages = documents.filter(({ path }) => path.startsWith("docs/"))

describe("links", () => {
  const links = documents
    .flatMap((document) =>
      Array.from(proseOf(document).matchAll(/\]\(([^)\s]+)\)/g), ([, target]) => ({ document, target: target! }))
    )
    .filter(({ target }) => !/^[a-z]+:/.test(target))

  it("lead to files and headings that exist", () => {
    expect(links.length).toBeGreaterThan(100)
    const broken = links.filter(({ document, target }) => {
      const [file = "", anchor] = target.split("#")
      const path = file === "" ? document.path : posix.normalize(posix.join(dirname(document.path), file))
      if (!existsSync(join(root, path))) return true
      const other = documents.find((one) => one.path === path)
      return anchor !== undefined && other !== undefined && !anchorsOf(other).has(anchor)
    })
    expect(broken.map(({ document, target }) => `${document.path}: ${target}`)).toEqual([])
  })

  it("reach every page of docs/ from its first page", () => {
    const index = proseOf(documentAt("docs/README.md"))
    const missing = pages.map(({ path }) => posix.basename(path)).filter((name) => name !== "README.md")
    expect(missing.filter((name) => !index.includes(`](${name})`))).toEqual([])
  })
})

describePeers(["caddy"], "the configuration of Caddy", () => {
  it("is accepted by it", () => {
    const blocks = pages.flatMap(blocksOf).filter(({ language }) => language === "caddyfile")
    expect(blocks).toHaveLength(1)
    const folder = mkdtempSync(join(tmpdir(), "signalbox-caddy-"))
    try {
      for (const { text } of blocks) {
        writeFileSync(join(folder, "Caddyfile"), text)
        execFileSync("caddy", ["adapt", "--config", join(folder, "Caddyfile")], { stdio: "pipe" })
      }
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

describe("blocks of code", () => {
  const known = ["sh", "ini", "nginx", "caddyfile", "mermaid", "text", "json", "js", "ts", "http"]

  it("of docs/ name their language", () => {
    const other = pages.flatMap((page) => blocksOf(page).filter(({ language }) => !known.includes(language)))
    expect(other).toEqual([])
  })

  it("set variables that exist", () => {
    const example = readFileSync(join(root, "config/signalbox.env.example"), "utf8")
    const names = new Set(Array.from(example.matchAll(/^#?([A-Z][A-Z0-9_]*)=/gm), ([, name]) => name))
    const set = pages.flatMap((page) =>
      blocksOf(page).flatMap(({ language, text }) =>
        language === "ini" || language === "sh"
          ? Array.from(text.matchAll(/^([A-Z][A-Z0-9_]*)=/gm), ([, name]) => `${page.path}: ${name}`)
          : []
      )
    )
    expect(set.length).toBeGreaterThan(10)
    expect(set.filter((one) => !names.has(one.split(": ")[1]))).toEqual([])
    const mentioned = pages.flatMap((page) =>
      spansOf(page).flatMap((code) => (/^SIGNALBOX_[A-Z0-9_]+$/.test(code) ? [`${page.path}: ${code}`] : []))
    )
    expect(mentioned.filter((one) => !names.has(one.split(": ")[1]))).toEqual([])
  })

  it.effect("of settings are accepted by the daemons", () =>
    Effect.gen(function* () {
      const blocks = pages.flatMap((page) =>
        blocksOf(page).flatMap(({ language, text }) => (language === "ini" ? [{ path: page.path, text }] : []))
      )
      expect(blocks.length).toBeGreaterThan(3)
      for (const { path, text } of blocks) {
        const env = Object.fromEntries(
          Array.from(text.matchAll(/^([A-Z][A-Z0-9_]*)=(.*)$/gm), ([, name, value]) => [name!, value!])
        )
        const exit = yield* Effect.exit(Effect.provideService(checkSettings(daemons), Environment, env))
        expect(Exit.isSuccess(exit), `${path}: ${String(exit)}`).toBe(true)
      }
    })
  )
})

/** Commands of the program in a text, as lists of words. */
const callsIn = (code: string): ReadonlyArray<ReadonlyArray<string>> =>
  Array.from(
    code.replaceAll("\\\n", " ").matchAll(/(?:^|[(|;&] *|\b(?:until|exec) )(?:bin\/)?signalbox +([a-z][^|;&)\n>]*)/gm),
    ([, words]) =>
      words!
        .replaceAll(/'[^']*'|"[^"]*"/g, "QUOTED")
        .trim()
        .split(/\s+/)
  )

/** What is wrong with a call; undefined: nothing. */
const wrongCall = (tree: CommandPage, words: ReadonlyArray<string>): string | undefined => {
  let page = tree
  const flags: Array<string> = []
  for (const word of words) {
    // "…" stands for any command of a group.
    if (word === "…") return undefined
    const next = page.subcommands.find(({ path }) => path.at(-1) === word)
    if (next !== undefined) page = next
    else if (word.startsWith("--")) flags.push(word.slice(2).split("=")[0]!)
    else if (page.subcommands.length > 0) return `${page.path.join(" ")} has no command ${word}`
  }
  const names = new Set([...page.doc.flags, ...(page.doc.globalFlags ?? [])].map(({ name }) => name))
  const unknown = flags.filter((flag) => flag !== "" && !names.has(flag.replace(/,$/, "")))
  return unknown.length === 0 ? undefined : `${page.path.join(" ")} has no flag ${unknown.join(", ")}`
}

/** Examples of the help texts. */
const examplesIn = ({ doc, subcommands }: CommandPage): ReadonlyArray<string> => [
  ...(doc.examples ?? []).map(({ command }) => command),
  ...subcommands.flatMap(examplesIn)
]

it("commands of the program exist, with their flags", { timeout: 60_000 }, () => {
  const tree = JSON.parse(
    execFileSync(join(root, "bin/pinned-node"), [join(import.meta.dirname, "printCommands.ts")], {
      encoding: "utf8",
      maxBuffer: 64 * 1024 * 1024
    })
  ) as CommandPage
  const examples = examplesIn(tree)
  expect(examples.length).toBeGreaterThan(20)
  expect(examples.flatMap((example) => callsIn(example).flatMap((words) => wrongCall(tree, words) ?? []))).toEqual([])
  const said = documents.filter(({ path }) => /^(README|docs\/|systemd\/)/.test(path))
  const calls = said.flatMap((document) =>
    [
      ...blocksOf(document)
        .filter(({ language }) => ["sh", "text"].includes(language))
        .map(({ text }) => text),
      ...spansOf(document)
    ]
      .flatMap(callsIn)
      .map((words) => ({ path: document.path, words }))
  )
  expect(calls.length).toBeGreaterThan(60)
  expect(
    calls.flatMap(({ path, words }) => {
      const wrong = wrongCall(tree, words)
      return wrong === undefined ? [] : [`${path}: ${words.join(" ")}: ${wrong}`]
    })
  ).toEqual([])
})

it("systemd/README.md names all units and drop-ins", () => {
  const spans = spansOf(documentAt("systemd/README.md"))
  const names = [...readdirSync(join(root, "systemd")), ...readdirSync(join(root, "systemd/drop-ins"))]
  expect(names.filter((name) => name.includes(".") && name !== "README.md" && !spans.includes(name))).toEqual([])
})

it("the picture of the contracts is that of the code: bin/pinned-node scripts/drawContracts.ts", () => {
  const { text } = documentAt("docs/architecture.md")
  expect(text).toContain("comm-dispatcher --> Alarm")
  expect(text).toBe(withDrawing(text, drawContracts(readSourceTree(root))))
  const [picture] = blocksOf(documentAt("docs/architecture.md"))
  expect(daemons.map(({ name }) => name).filter((name) => !picture!.text.includes(`  ${name}`))).toEqual([])
})

it("messages that the troubleshooting page quotes are in the code", () => {
  const texts = readSourceTree(root).flatMap(({ path, text }) =>
    /^(core|daemons|protocols)\//.test(path) ? [text] : []
  )
  const quoted = Array.from(
    proseOf(documentAt("docs/troubleshooting.md")).matchAll(/"([^"]+)"/g),
    ([, words]) => words!
  )
  expect(quoted.length).toBeGreaterThan(8)
  const parts = quoted.filter((words) => words !== "At 3 a.m.").flatMap((words) => words.split("…"))
  expect(parts.filter((part) => !texts.some((text) => text.includes(part.trim())))).toEqual([])
})

it("the page about several hosts says of each daemon what it needs of its host", () => {
  const { text } = documentAt("docs/several-hosts.md")
  const rows = Array.from(text.matchAll(/^\| ([a-z, -]+) \| [^-]/gm), ([, names]) => names!.split(", ")).flat()
  expect(rows.filter((name) => name !== "daemon").sort()).toEqual(daemons.map(({ name }) => name).sort())
})

it("READMEs of daemons begin with what the daemon is for", () => {
  const readmes = documents.filter(({ path }) => /^daemons\/[^/]+\/README\.md$/.test(path))
  expect(readmes.length).toBeGreaterThanOrEqual(14)
  for (const { path, text } of readmes) {
    const [title, empty, first] = text.split("\n")
    expect({ path, title }).toEqual({ path, title: `# ${path.split("/")[1]}` })
    expect({ path, empty }).toEqual({ path, empty: "" })
    expect(first, path).toMatch(/^[A-Z][^|`]{20,}/)
    expect(text, path).toContain("t 3 a.m.")
  }
})

it("CHANGELOG.md names the newest migrations, which are additive as it says", () => {
  const sentence = /^Migrations: ([^.]+)\. They are additive/m.exec(documentAt("CHANGELOG.md").text)?.[1]
  const named = Array.from(sentence!.matchAll(/([a-z-]+) (\d+(?:(?:, | and )\d+)*)/g), ([, name, ids]) => ({
    name: name!,
    ids: ids!.match(/\d+/g)!.map(Number)
  }))
  expect(named.length).toBeGreaterThan(0)
  for (const { ids, name } of named) {
    const steps = daemons.find((daemon) => daemon.name === name)!.migrations.steps.slice(-ids.length)
    expect(
      steps.map(({ additive, id }) => ({ name, id, additive })),
      name
    ).toEqual(ids.map((id) => ({ name, id, additive: true })))
  }
})

it("docs/dependencies.md explains versions that are installed", () => {
  const { dependencies, devDependencies, optionalDependencies } = packageJson
  const installed: Readonly<Record<string, string>> = { ...dependencies, ...devDependencies, ...optionalDependencies }
  const rows = Array.from(
    documentAt("docs/dependencies.md").text.matchAll(/^\| `([^`]+)` \| (\S+) \| \S+ \| (.+) \|$/gm),
    ([, name, version, reason]) => ({ name: name!, version: version!, reason: reason! })
  )
  expect(rows.length).toBeGreaterThan(10)
  expect(rows.map(({ name, version }) => `${name} ${version}`)).toEqual(
    rows.map(({ name }) => `${name} ${installed[name]}`)
  )
})
