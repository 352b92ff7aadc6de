import { describe, expect, it } from "vitest"
import { hidden } from "#daemons/watchdog/backups/engine/Programs.ts"
import { sftpOf } from "#daemons/watchdog/backups/engine/ResticAccess.ts"
import { reasonOf } from "#daemons/watchdog/backups/engine/ResticError.ts"
import { ProgramFailed } from "#daemons/watchdog/backups/engine/Programs.ts"
import { mailProof, newest, proveKeys, proveRows } from "#daemons/watchdog/backups/jobs/DrillRun.ts"
import { durationText } from "#core/words/Amounts.ts"
import { sentences } from "#daemons/watchdog/backups/jobs/NoticeWords.ts"
import { majorOf } from "#daemons/watchdog/backups/parts/DumpPrograms.ts"
import { partsOf } from "#daemons/watchdog/backups/parts/FileParts.ts"
import { boundsOf } from "#daemons/watchdog/backups/parts/PhysicalCopy.ts"
import type { BackupSettings } from "#daemons/watchdog/backups/Settings.ts"

const config = (change: Partial<BackupSettings> = {}): BackupSettings => ({
  dataDir: "/var/lib/signalbox",
  keyFile: undefined,
  repository: undefined,
  password: undefined,
  s3KeyId: undefined,
  s3Secret: undefined,
  sshKeyFile: undefined,
  sshKnownHosts: undefined,
  furtherDatabases: undefined,
  customerFolders: ["/srv/customers"],
  mailFolders: ["/var/mail"],
  configurationPaths: ["/etc/signalbox"],
  certificatePaths: ["/etc/letsencrypt"],
  includeKeys: false,
  stagingDir: undefined,
  timeZone: "UTC",
  drillCron: "off",
  drillReadPercent: 10,
  tick: 20_000,
  ...change
})
const present = () => true

describe("the parts of a backup", () => {
  it("are those of its type", () => {
    const of = (type: "full" | "databases" | "files" | "configuration") => partsOf(type, config(), present)
    expect(of("databases")).toMatchObject({ customers: [], mail: [], configuration: [], leftOut: [] })
    expect(of("files")).toMatchObject({ customers: ["/srv/customers"], mail: ["/var/mail"], configuration: [] })
    expect(of("configuration").configuration).toEqual(["/etc/signalbox", "/etc/letsencrypt"])
    expect(of("full")).toMatchObject({ customers: ["/srv/customers"], mail: ["/var/mail"] })
  })

  it("have the key of stored secrets only where the operator says so, and name it as left out otherwise", () => {
    const without = partsOf("full", config({ configurationPaths: ["/var/lib/signalbox"] }), present)
    expect(without.excludes).toContain("/var/lib/signalbox/keys")
    expect(without.leftOut.map(({ what }) => what)).toEqual(["key of stored secrets"])
    const included = partsOf("full", config({ includeKeys: true, keyFile: "/etc/keys" }), present)
    expect(included.configuration).toContain("/etc/keys")
    expect(included.excludes).not.toContain("/etc/keys")
    expect(included.leftOut).toEqual([])
  })

  it("that do not exist are named", () => {
    const { customers, leftOut } = partsOf("files", config({ mailFolders: [] }), () => false)
    expect(customers).toEqual([])
    expect(leftOut).toEqual([
      { what: "/srv/customers", reason: "does not exist" },
      { what: "mail", reason: "no folder is configured" }
    ])
  })
})

describe("what a program says", () => {
  it("is shown without secrets", () => {
    expect(hidden("open s3:key at https://user:pass@host/x: word", ["word", "s3:key"])).toBe(
      "open … at https://…@host/x: …"
    )
  })

  it("is a reason in our words", () => {
    const of = (words: string) =>
      reasonOf(new ProgramFailed({ program: "restic", reason: "Exited", code: 1, words })).reason
    expect(of("Fatal: wrong password or no key found")).toBe("WrongPassword")
    expect(of("Fatal: unable to open config file: stat /x/config: no such file\nIs there a repository at …")).toBe(
      "NoRepository"
    )
    expect(of("unable to create lock in backend: repository is already locked by PID 7")).toBe("Locked")
    expect(of("ciphertext verification failed")).toBe("Damaged")
    expect(of("Fatal: repository contains errors")).toBe("Damaged")
    expect(of("killed")).toBe("Failed")
  })

  it("names its version, and an address its login", () => {
    expect(majorOf("pg_dump (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)")).toBe(15)
    expect(sftpOf("sftp:b@host:/backups")).toEqual({ login: "b@host" })
    expect(sftpOf("sftp://b@host:2222//backups")).toEqual({ login: "b@host", port: "2222" })
    expect(sftpOf("/srv/sftp")).toBeUndefined()
  })
})

describe("a drill", () => {
  it("finds missing tables and wrong numbers of rows", () => {
    const expected = [
      { table: "a", least: 5, most: 5 },
      { table: "b", least: 2, most: 9 }
    ]
    expect(
      proveRows(
        expected,
        new Map([
          ["a", 5],
          ["b", 9],
          ["new", 1]
        ])
      ).faults
    ).toEqual([])
    expect(
      proveRows(
        expected,
        new Map([
          ["a", 4],
          ["b", 1]
        ])
      ).faults
    ).toEqual(["a has 4 rows, not 5", "b has 1 rows, not 2 to 9"])
    expect(proveRows(expected, new Map([["a", 5]])).faults).toEqual(["the table b is missing"])
  })

  it("allows a table of a physical copy as many rows as changed, and none more", () => {
    const before = new Map([
      ["still", { rows: 7, changes: 7 }],
      ["busy", { rows: 10, changes: 100 }],
      ["gone", { rows: 1, changes: 1 }]
    ])
    const after = new Map([
      ["still", { rows: 7, changes: 7 }],
      ["busy", { rows: 12, changes: 106 }]
    ])
    expect(boundsOf(before, after)).toEqual([
      { table: "still", least: 7, most: 7 },
      { table: "busy", least: 4, most: 18 }
    ])
  })

  it("allows mail to go on, and finds an empty mail store", () => {
    expect(mailProof([{ folder: "/m", files: 100 }], [91]).faults).toEqual([])
    expect(mailProof([{ folder: "/m", files: 100 }], [80]).faults).toHaveLength(1)
    expect(mailProof([{ folder: "/m", files: 1 }], [0]).faults).toHaveLength(1)
    expect(mailProof([{ folder: "/m", files: 0 }], [0]).faults).toEqual([])
  })

  it("accepts a key file with a new key, and none without an old one", () => {
    expect(proveKeys(["old"], ["new", "old"]).faults).toEqual([])
    expect(proveKeys(["old"], ["new"]).faults).toHaveLength(1)
  })

  it("takes the newest of our backups that has databases", () => {
    const of = (id: string, time: string, tags: ReadonlyArray<string>) => ({
      id,
      short_id: id,
      time,
      hostname: "h",
      paths: [],
      tags
    })
    const full = of("full", "2026-11-01T03:00:00Z", ["signalbox", "type:full"])
    const files = of("files", "2026-11-02T03:00:00Z", ["signalbox", "type:files"])
    const foreign = of("foreign", "2026-11-03T03:00:00Z", ["type:full"])
    expect(newest([files, foreign, full])?.id).toBe("full")
    expect(newest([foreign, files])?.id).toBe("files")
    expect(newest([foreign])).toBeUndefined()
  })
})

it("a message has size, duration and what was left out, in both languages, without control characters", () => {
  const job = {
    work: "backup",
    state: "failed",
    type: "full",
    schedule: "night\u0007ly",
    size: 1_500_000_000,
    added: 2_000,
    files: 1,
    problem: "no room\u001b[31m",
    left_out: [{ what: "mail", reason: "does not exist" }],
    duration: 3_723_000
  } as const
  const { de, en } = sentences(job)
  expect(en).toEqual({
    title: "Backup night ly failed",
    body:
      "no room [31m\nSize 1.5 GB, new in the repository 2.0 kB.\n" +
      "Duration 1 h 2 min.\nLeft out:\n- mail: does not exist"
  })
  expect(de.title).toBe("Sicherung night ly fehlgeschlagen")
  expect(durationText(63_000)).toBe("1 min 3 s")
})
