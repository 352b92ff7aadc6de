/** Texts of the routing steps: a call for every step code, in German and English. */
import { assert, describe, it } from "@effect/vitest"
import { destinationName } from "#daemons/sip-config/routing/DestinationName.ts"
import type { Call, Plan } from "#daemons/sip-config/routing/Call.ts"
import { explain, route } from "#daemons/sip-config/routing/Route.ts"
import type { Did } from "#daemons/sip-config/routing/Rows.ts"
import { codes, kindOf, type Step } from "#daemons/sip-config/routing/Steps.ts"
import { told } from "#daemons/sip-config/routing/dry-run/StepWords.ts"
import { telephony } from "../Rows.ts"

const plan: Plan = { country: "DE", voicemailNumber: "*97" }

type Put = ReturnType<typeof telephony>["put"]

/** An extension 1001 with three lines, the last over a trunk without a number, and one number. */
const lab = (more?: (put: Put) => void) => {
  const { held, put } = telephony()
  put("sip_domain", 1)
  put("extension", 1)
  put("did", 1)
  put("trunk", 1)
  put("trunk", 2, { caller_id: "+4930999" })
  put("trunk", 3)
  put("line", 1, { trunk_id: 2, priority: 20 })
  put("line", 2, { trunk_id: 1, priority: 10, did_id: 1 })
  put("line", 3, { trunk_id: 3, priority: 30 })
  more?.(put)
  return held
}

const from = (destination: string, more: Partial<Call> = {}): Call => ({
  context: "tenant-2",
  destination,
  caller: "1001",
  user: "1001",
  domain: "lab.example",
  ...more
})
const outside = (destination: string, caller = "+4940777"): Call => ({
  context: "public",
  destination,
  caller,
  user: undefined,
  domain: undefined
})

const phone = "context The call comes from a phone of tenant 2."
const stranger = "context The call comes from outside."
const ours = "number The number +4930123001 is ours, of tenant 2."
const onwards = "destination +4930123001 leads to the external number 030123001."
const around = [onwards, "destination 030123001 is a number of the same tenant."]

const abroad = "number +4940123456 is outside."
const trunks = [
  'line By trunk_1 "First", showing +4930123001.',
  'line By trunk_2 "First", showing +4930999.',
  'line By trunk_3 "First".'
]
const [forbidden, notFound, loop] = [403, 404, 482].map((status) => `result The call is refused with ${status}.`) as [
  string,
  string,
  string
]

/** Two numbers that forward to each other; the second belongs to a different tenant. */
const circle = (put: Put) => {
  put("external_number", 1, { number: "+4930123002" })
  put("did", 1, { destination_type: "external" })
  put("external_number", 3, { number: "+4930123001", tenant_id: 3 })
  put("did", 2, { number: "+4930123002", destination_type: "external", destination_id: 3, tenant_id: 3 })
}

/** `way`: kind and text of each step. `more`: rows in addition to the lab. */
type Case = readonly [what: string, call: Call, way: ReadonlyArray<string>, more?: (put: Put) => void]

const cases: ReadonlyArray<Case> = [
  [
    "an extension",
    from("1001"),
    [phone, "number 1001 is an extension of lab.example.", "result Extension 1001@lab.example rings."]
  ],
  [
    "an extension with a box",
    from("1001"),
    [
      phone,
      "number 1001 is an extension of lab.example.",
      "result Extension 1001@lab.example rings, then its voicemail box answers."
    ],
    (put) => put("voicemail_box", 1)
  ],
  [
    "a switched-off extension",
    from("1002"),
    [phone, "number 1002 is an extension of lab.example.", "destination The extension 1002 is switched off.", notFound],
    (put) => put("extension", 2, { extension: "1002", enabled: false })
  ],
  [
    "a ring group",
    from("600"),
    [
      phone,
      "number 600 is a ring group of lab.example.",
      'destination The ring group "Sales" rings 1 of 2 extensions, simultaneous, 20 s.',
      'result Ring group "Sales": 1001.'
    ],
    (put) => put("ring_group", 1, { extensions: ["1001", "1999"] })
  ],
  [
    "a box",
    from("700"),
    [phone, "number 700 is a voicemail box of lab.example.", "result The voicemail box 700@lab.example answers."],
    (put) => put("voicemail_box", 1, { box: "700" })
  ],
  [
    "the own box",
    from("*97"),
    [
      phone,
      "number *97 is for a phone's own voicemail box.",
      "result The caller hears the voicemail box 1001@lab.example."
    ],
    (put) => put("voicemail_box", 1)
  ],
  [
    "no own box",
    from("*97"),
    [
      phone,
      "number *97 is for a phone's own voicemail box.",
      "destination It does not exist, or is switched off.",
      notFound
    ]
  ],
  [
    "nothing of that number",
    from("1009"),
    [phone, "number This is neither an internal nor an outside number.", notFound]
  ],
  [
    "an emergency",
    from("112"),
    [
      phone,
      "number 112 is an emergency number: any trunk of the tenant will do.",
      ...trunks,
      "result 112 is called by trunk_1, then trunk_2, then trunk_3."
    ]
  ],
  [
    "outside",
    from("+4940123456"),
    [phone, abroad, ...trunks, "result +4940123456 is called by trunk_1, then trunk_2, then trunk_3."]
  ],
  [
    "outside without a line",
    from("+4940123456", { user: "1003" }),
    [phone, abroad, "line There is no line with a trunk that is switched on.", forbidden],
    (put) => put("extension", 3, { extension: "1003" })
  ],
  [
    "outside by nobody",
    from("+4940123456", { user: undefined }),
    [phone, abroad, "line Only a phone that proved itself may call outside.", forbidden]
  ],
  [
    "a number of the same tenant",
    from("030123001"),
    [
      phone,
      "number +4930123001 is a number of the same tenant: the call stays within.",
      "destination +4930123001 leads to the extension 1001@lab.example.",
      "result Extension 1001@lab.example rings."
    ]
  ],
  [
    "a call from elsewhere than the trunk of the number",
    { ...outside("+4930123001"), address: "192.0.2.1" },
    [stranger, ours, "number The call does not come from a trunk that brings calls to +4930123001.", forbidden]
  ],
  ["none of ours", outside("+4930123009"), [stranger, "number The number that was called is none of ours.", notFound]],
  [
    "a menu through filters",
    outside("+4930123001"),
    [
      stranger,
      ours,
      'filter The blacklist "Spam" (+49900*) does not fit the caller.',
      'destination +4930123001 leads to the menu "Main".',
      'result The menu "Main" answers.'
    ],
    (put) => {
      put("ivr_menu", 1)
      put("did", 1, { destination_type: "ivr_menu" })
      put("call_filter", 1, { name: "Spam" })
    }
  ],
  [
    "a refused caller",
    outside("+4930123001", "+49900123456"),
    [
      stranger,
      ours,
      'filter The blacklist "Spam" (+49900*) fits the caller.',
      'filter "Spam" refuses the caller.',
      "result The call is refused with 603."
    ],
    (put) => put("call_filter", 1, { name: "Spam" })
  ],
  [
    "a caller on no whitelist",
    outside("+4930123001"),
    [
      stranger,
      ours,
      'filter The whitelist "Friends" (+49900*) does not fit the caller.',
      'filter "Friends" refuses the caller, who is on no whitelist.',
      "result The call is refused with 603."
    ],
    (put) => put("call_filter", 1, { name: "Friends", type: "whitelist" })
  ],
  [
    "a number that leads on to one of the same tenant",
    outside("+4930123002"),
    [
      stranger,
      "number The number +4930123002 is ours, of tenant 2.",
      "destination +4930123002 leads to the external number 030123001.",
      "destination 030123001 is a number of the same tenant.",
      "destination +4930123001 leads to the extension 1001@lab.example.",
      "result Extension 1001@lab.example rings."
    ],
    (put) => {
      put("external_number", 1, { number: "030123001" })
      put("did", 2, { number: "+4930123002", destination_type: "external" })
    }
  ],
  [
    "numbers in a circle",
    outside("+4930123001"),
    [
      stranger,
      ours,
      ...around,
      ...around,
      ...around,
      ...around,
      ...around,
      "destination Stops after 5 numbers that each lead to another number: this looks like a loop.",
      loop
    ],
    (put) => {
      put("external_number", 1, { number: "030123001" })
      put("did", 1, { destination_type: "external" })
    }
  ],
  [
    "numbers in a circle over another tenant",
    outside("+4930123001"),
    [
      stranger,
      ours,
      "destination +4930123001 leads to the external number +4930123002.",
      "destination From there numbers lead back to each other.",
      loop
    ],
    circle
  ],
  [
    "a phone into such a circle",
    from("+4930123002"),
    [phone, "number +4930123002 is outside.", "destination From there numbers lead back to each other.", loop],
    circle
  ],
  [
    "a menu into such a circle",
    from("external_1", { user: undefined }),
    [phone, "destination From there numbers lead back to each other.", loop],
    circle
  ],
  [
    "a number that leads to nothing of the tenant's",
    outside("+4930123001"),
    [
      stranger,
      ours,
      "destination +4930123001 leads to the ring group with the ID 1.",
      "destination It does not exist, or is switched off.",
      notFound
    ],
    (put) => {
      put("ring_group", 1, { tenant_id: 3 })
      put("did", 1, { destination_type: "ring_group" })
    }
  ]
]

const stepsOf = ([, call, , more]: Case): ReadonlyArray<Step> => explain(lab(more), plan, call).steps

describe("steps in words", () => {
  for (const each of cases) {
    it(`${each[0]}, in English`, () =>
      assert.deepStrictEqual(
        stepsOf(each)
          .map((step) => told(step, "en"))
          .map(({ kind, text }) => `${kind} ${text}`),
        each[2]
      ))
  }

  it("each code is told by one of these calls, in both languages, with all it is about", () => {
    const steps = cases.flatMap(stepsOf)
    const seen = new Set(steps.map(({ code }) => code))
    assert.deepStrictEqual(
      codes.filter((code) => !seen.has(code)),
      []
    )
    for (const step of steps) {
      const [de, en] = [told(step, "de"), told(step, "en")]
      assert.deepStrictEqual(
        [de.code, de.kind, en.code, en.kind],
        [step.code, kindOf[step.code], step.code, kindOf[step.code]]
      )
      assert.match(de.text, /^\S.{10,}[^\s.]\.$/)
      assert.notStrictEqual(de.text, en.text)
      assert.notMatch(en.text, /[äöüß„“]/)
      assert.notMatch(
        de.text,
        /\b(the|is|of|by|caller|number|extension|ring_group|ivr_menu|simultaneous|blacklist|whitelist)\b|"/i
      )
      for (const { text } of [de, en]) assert.notMatch(text, /undefined|\[object/)
      // Numbers and names are equal in both languages.
      const facts = (text: string) =>
        text.match(/[+*\w.@]*\d[\w.@]*(?<!\.)|Sales|Spam|Friends|Main|First|lab\.example/g)?.toSorted() ?? []
      assert.deepStrictEqual(facts(de.text), facts(en.text), de.text)
    }
  })

  it("a number leads to each kind of destination, by what people call it; one that is not there by its ID", () => {
    const led = lab((put) => {
      put("ring_group", 1)
      put("ivr_menu", 1)
      put("voicemail_box", 1, { box: "700" })
      put("external_number", 1)
    })
    const leads = (type: Did["destination_type"], id: number, language: "de" | "en") => {
      const did = { ...led.get("did", 1)!, destination_type: type, destination_id: id }
      return told({ code: "did_leads_to", number: "+491", type, id, name: destinationName(led, did) }, language).text
    }
    const kinds = ["extension", "ring_group", "ivr_menu", "voicemail", "external"] as const
    assert.deepStrictEqual(
      kinds.map((type) => leads(type, 1, "en")),
      [
        "extension 1001@lab.example",
        'ring group "Sales"',
        'menu "Main"',
        "voicemail box 700@lab.example",
        "external number +491701234567"
      ].map((what) => `+491 leads to the ${what}.`)
    )
    assert.deepStrictEqual(
      kinds.map((type) => leads(type, 1, "de")),
      [
        "zur Nebenstelle 1001@lab.example",
        "zur Rufgruppe „Sales“",
        "zum Menü „Main“",
        "zum Anrufbeantworter 700@lab.example",
        "zur externen Nummer +491701234567"
      ].map((where) => `+491 führt ${where}.`)
    )
    assert.deepStrictEqual(
      kinds.map((type) => leads(type, 7, "de")),
      ["zur Nebenstelle", "zur Rufgruppe", "zum Menü", "zum Anrufbeantworter", "zur externen Nummer"].map(
        (where) => `+491 führt ${where} mit der ID 7.`
      )
    )
  })

  it("nobody listening, the way is the same", () => {
    for (const [, call, , more] of cases) {
      const held = lab(more)
      assert.deepStrictEqual(route(held, plan, call), explain(held, plan, call).route)
    }
  })
})
