import * as Commands from "#protocols/imap-watch/Commands.ts"
import { Lines } from "#protocols/imap-watch/Lines.ts"
import * as MailboxName from "#protocols/imap-watch/MailboxName.ts"
import { read, type Response } from "#protocols/imap-watch/Untagged.ts"
import { maxDepth } from "#protocols/imap-watch/Values.ts"
import { describe, expect, it } from "@effect/vitest"
import { Result } from "effect"
import fc from "fast-check"

const said = (text: string): ReadonlyArray<Response | string> =>
  new Lines().push(Buffer.from(`${text}\r\n`)).lines.map((line) => Result.merge(read(line)))

const one = (text: string) => said(text)[0]

describe("answers", () => {
  it("to commands and to none", () => {
    expect(one("A1 OK [CAPABILITY IMAP4rev1 NOTIFY] Logged in")).toEqual({
      _tag: "State",
      tag: "A1",
      word: "OK",
      code: { name: "CAPABILITY", value: "IMAP4rev1 NOTIFY" },
      text: "Logged in"
    })
    expect(one("A2 NO [authenticationfailed] no")).toMatchObject({
      word: "NO",
      code: { name: "AUTHENTICATIONFAILED", value: "" }
    })
    expect(one("* BYE")).toEqual({ _tag: "State", tag: "*", word: "BYE", code: undefined, text: "" })
    expect(one("+ idling")).toEqual({ _tag: "Continue" })
    expect(one("* CAPABILITY IMAP4rev1 idle")).toEqual({ _tag: "Capability", names: ["IMAP4REV1", "IDLE"] })
  })

  it("that count", () => {
    expect(said("* 3 EXISTS\r\n* 1 RECENT\r\n* 2 EXPUNGE\r\n* VANISHED (EARLIER) 1:3,7\r\n* VANISHED 4")).toEqual([
      { _tag: "Exists", messages: 3 },
      { _tag: "Recent", messages: 1 },
      { _tag: "Expunge", sequence: 2 },
      { _tag: "Vanished", earlier: true, uids: "1:3,7" },
      { _tag: "Vanished", earlier: false, uids: "4" }
    ])
    expect(one("* 1 FETCH (FLAGS (\\Deleted \\Seen $Label) UID 9 MODSEQ (3))")).toEqual({
      _tag: "Fetch",
      sequence: 1,
      uid: 9,
      flags: ["\\Deleted", "\\Seen", "$Label"]
    })
  })

  it("as a Dovecot 2.3 gives them to NOTIFY", () => {
    expect(
      said(
        '* STATUS INBOX (MESSAGES 1 UIDNEXT 2 UIDVALIDITY 1795304588 UNSEEN 1 HIGHESTMODSEQ 9223372036854775807)\r\n* LIST () "/" {5}\r\nNeuä\r\n* LIST (\\NonExistent) "/" Werk'
      )
    ).toEqual([
      {
        _tag: "Status",
        folder: "INBOX",
        status: {
          messages: 1,
          uidNext: 2,
          uidValidity: 1_795_304_588,
          unseen: 1,
          highestModSeq: 9_223_372_036_854_775_807n
        }
      },
      { _tag: "List", folder: "Neuä", attributes: [], delimiter: "/", oldName: undefined },
      { _tag: "List", folder: "Werk", attributes: ["\\nonexistent"], delimiter: "/", oldName: undefined }
    ])
  })

  it("with a folder's old name, and names in every writing", () => {
    expect(one(`* LIST () NIL "new \\"x\\" \\\\" ("CHILDINFO" ("SUBSCRIBED") "OLDNAME" ("old &AOQ-"))`)).toEqual({
      _tag: "List",
      folder: `new "x" \\`,
      attributes: [],
      delimiter: undefined,
      oldName: "old ä"
    })
    expect(one(`* STATUS {7}\r\nA {5} B (MESSAGES 1)`)).toEqual({
      _tag: "Status",
      folder: "A {5} B",
      status: { messages: 1 }
    })
    expect(one(`* STATUS "iNbOx" (UNSEEN 0)`)).toMatchObject({ folder: "INBOX" })
  })

  it("that cannot be read are failures, and unknown ones nothing", () => {
    for (const bad of [
      "",
      "*",
      "nonsense",
      "* STATUS INBOX",
      "* STATUS (A) (MESSAGES 1)",
      '* LIST () "/"',
      "* LIST (",
      '* LIST () "/" "x',
      "* 1 FETCH",
      "* VANISHED x",
      `* LIST ${"(".repeat(maxDepth + 1)}${")".repeat(maxDepth + 1)} "/" a`,
      "* LIST ) a"
    ]) {
      expect([bad, typeof one(bad)]).toEqual([bad, "string"])
    }
    expect(said("* FLAGS (\\Seen)\r\n* ENABLED X\r\n* 3 NEWS")).toEqual([
      { _tag: "Other" },
      { _tag: "Other" },
      { _tag: "Other" }
    ])
  })

  it("whatever they are, never throw", () => {
    const word = fc.constantFrom(
      "* ",
      "LIST ",
      "STATUS ",
      "FETCH ",
      "1 ",
      "(",
      ")",
      '"',
      "\\",
      " ",
      "UID ",
      "FLAGS ",
      "{2}\r\n",
      "ab",
      "NIL",
      "OK ",
      "[",
      "]",
      "&",
      "-",
      "ÿ"
    )
    fc.assert(fc.property(fc.array(word, { maxLength: 25 }), (words) => void said(words.join(""))))
  })
})

describe("names of folders", () => {
  it("go and come the same, whatever is in them", () => {
    const name = fc
      .string({ unit: fc.constantFrom("a", "&", "-", "ä", "台", "😀", " ", '"', "\\", "/", ",", "~") })
      .filter((text) => !/^inbox$/i.test(text))
    fc.assert(
      fc.property(name, (text) => {
        const encoded = MailboxName.encode(text)
        expect(encoded).toMatch(/^[ -~]*$/)
        expect(MailboxName.decode(encoded)).toBe(text)
        expect(one(`* STATUS ${Commands.quote(encoded)} ()`)).toMatchObject({ folder: text })
      })
    )
  })

  it("are written as RFC 3501 shows it, and stay when they are neither", () => {
    expect(MailboxName.encode("~peter/mail/台北/日本語")).toBe("~peter/mail/&U,BTFw-/&ZeVnLIqe-")
    for (const odd of ["a&b", "&AO-", "&YQ-", "\u00ff\u00fe"]) expect(MailboxName.decode(odd)).toBe(odd)
  })
})

describe("commands", () => {
  it("are what the RFCs say", () => {
    expect(Commands.examine("Entwürfe").pieces).toEqual([`EXAMINE "Entw&APw-rfe"\r\n`])
    expect(Commands.select(`a"b`).pieces).toEqual([`SELECT "a\\"b"\r\n`])
    expect(Commands.status("INBOX", true).pieces).toEqual([
      `STATUS "INBOX" (MESSAGES UIDNEXT UIDVALIDITY UNSEEN HIGHESTMODSEQ)\r\n`
    ])
    expect(Commands.listStatus(false, false).pieces).toEqual([
      `LIST "" "*" RETURN (STATUS (MESSAGES UIDNEXT UIDVALIDITY UNSEEN))\r\n`
    ])
    expect(Commands.listStatus(false, true).pieces).toEqual([
      `LIST "" "*" RETURN (SPECIAL-USE STATUS (MESSAGES UIDNEXT UIDVALIDITY UNSEEN))\r\n`
    ])
    expect(Result.getOrThrow(Commands.login("a", `p"w`)).pieces).toEqual([`LOGIN "a" "p\\"w"\r\n`])
    expect(Result.getOrThrow(Commands.login("ä", "b\r\nc")).pieces).toEqual([
      "LOGIN {2}\r\n",
      "\u00c3\u00a4 {4}\r\n",
      "b\r\nc\r\n"
    ])
    expect(Result.getOrThrow(Commands.authenticate("XOAUTH2", "abcd", "", true)).pieces).toEqual([
      "AUTHENTICATE XOAUTH2 abcd\r\n",
      "\r\n"
    ])
    expect(Result.getOrThrow(Commands.authenticate("OAUTHBEARER", "abcd", "AQ==", false)).pieces).toEqual([
      "AUTHENTICATE OAUTHBEARER\r\n",
      "abcd\r\n",
      "AQ==\r\n"
    ])
  })

  it("hold no line that the caller made", () => {
    const any = fc.string({ unit: fc.constantFrom("a", "ä", "\r", "\n", "\0", '"', "\\", "{", "}") })
    fc.assert(
      fc.property(any, any, (user, password) => {
        expect(
          Commands.examine(user)
            .pieces.join("")
            .split(/[\r\n\0]/)
        ).toHaveLength(3)
        const login = Commands.login(user, password)
        expect(Result.isFailure(login)).toBe((user + password).includes("\0"))
        if (Result.isFailure(login)) return
        // Parses the text like a server: one line, with as many literal bytes as it announces.
        const { fault, lines } = new Lines().push(Buffer.from(login.success.pieces.join(""), "latin1"))
        expect([fault, lines.length]).toEqual([undefined, 1])
      })
    )
    for (const bad of [
      Commands.login("a", "s3cret\0"),
      Commands.authenticate("X", "s3cret\r\n", "", true),
      Commands.authenticate("X Y", "s3cret==", "", true)
    ]) {
      expect(Result.isFailure(bad) && !bad.failure.includes("s3cret")).toBe(true)
    }
  })
})
