import { spawnSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { chooseAccount, launcher, mayPass, parsePasswd, type Privilege } from "#core/postgres/ServerAccount.ts"
import { temporaryDirectory } from "#support/Postgres.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"

const root = { name: "root", uid: 0, gid: 0 }
const ann = { name: "ann", uid: 1000, gid: 1000 }
const known = parsePasswd(
  "root:x:0:0::/root:/bin/sh\nnobody:x:65534:65534::/:/bin/false\npostgres:x:101:104:,,,:/:/bin/sh\nbroken\nx:y:z:0\n"
)
const choose = (ours: typeof root, accounts = known, dataOwner?: { uid: number; gid: number }, mayMove = false) =>
  chooseAccount({ ours, known: accounts, dataOwner, mayMove }).pipe(
    Result.match({ onSuccess: ({ name, switched }) => `${name} ${switched}`, onFailure: (error) => error.reason })
  )

describe("ServerAccount", () => {
  it("runs the server of root under another account, and others under their own", () => {
    assert.strictEqual(choose(root), "postgres true")
    assert.strictEqual(
      choose(
        root,
        known.filter(({ name }) => name !== "postgres")
      ),
      "nobody true"
    )
    assert.strictEqual(choose(root, [root, { name: "postgres", uid: 0, gid: 0 }]), "NoServerAccount")
    assert.strictEqual(choose(ann), "ann false")
  })

  it("prefers an account of its own for root, and moves files of a shared account or of an interrupted move to it", () => {
    const own = [...known, { name: "signalbox-postgres", uid: 998, gid: 998 }]
    assert.strictEqual(choose(root, own), "signalbox-postgres true")
    assert.strictEqual(choose(root, own, { uid: 65_534, gid: 65_534 }), "nobody true")
    for (const uid of [65_534, 101, 0])
      assert.strictEqual(choose(root, own, { uid, gid: 1 }, true), "signalbox-postgres true")
    assert.strictEqual(choose(root, own, { uid: 777, gid: 7 }, true), "777 true")
    assert.strictEqual(choose(root, known, { uid: 101, gid: 104 }, true), "postgres true")
    assert.strictEqual(choose(ann, own, { uid: 1000, gid: 1 }, true), "ann false")
  })

  it("uses the account that owns the files", () => {
    assert.strictEqual(choose(root, known, { uid: 65_534, gid: 65_534 }), "nobody true")
    assert.strictEqual(choose(root, known, { uid: 777, gid: 7 }), "777 true")
    assert.strictEqual(choose(ann, known, { uid: 1000, gid: 1 }), "ann false")
    assert.strictEqual(choose(ann, known, { uid: 101, gid: 104 }), "DirectoryNotOurs")
  })

  it("judges a directory by the permission class that applies", () => {
    const entry = (uid: number, gid: number, mode: number) => ({ uid, gid, mode })
    assert.isTrue(mayPass(entry(0, 0, 0o40711), ann))
    assert.isFalse(mayPass(entry(0, 0, 0o40700), ann))
    assert.isFalse(mayPass(entry(1000, 0, 0o40077), ann))
    assert.isTrue(mayPass(entry(0, 1000, 0o40710), ann))
    assert.isFalse(mayPass(entry(0, 1000, 0o40701), ann))
  })

  it("always binds the server to its parent, and changes the user only for root", () => {
    assert.deepStrictEqual(launcher({ ...ann, switched: false }, "plain", "INT"), [
      "setpriv",
      "--inh-caps=-all",
      "--ambient-caps=-all",
      "--pdeathsig",
      "INT",
      "--"
    ])
    const words = launcher({ ...ann, switched: true }, "traverse", "KILL")
    assert.includeMembers([...words], ["--reuid", "1000", "--clear-groups", "--ambient-caps=+dac_read_search", "KILL"])
  })

  it.effect.skipIf(process.getuid?.() !== 0)(
    "makes access(2) pass closed directories, because Postgres checks its programs with it",
    () =>
      Effect.gen(function* () {
        const closed = yield* temporaryDirectory()
        const file = join(closed, "program")
        writeFileSync(file, "", { mode: 0o755 })
        const answer = (privilege: Privilege) => {
          const [command = "", ...words] = launcher(
            { name: "nobody", uid: 65_534, gid: 65_534, switched: true },
            privilege,
            "KILL"
          )
          return spawnSync(command, [
            ...words,
            process.execPath,
            "-e",
            `fs.accessSync(${JSON.stringify(file)}, fs.constants.X_OK)`
          ]).status
        }
        assert.notStrictEqual(answer("plain"), 0)
        assert.strictEqual(answer("traverse"), 0)
      })
  )
})
