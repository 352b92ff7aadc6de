/** Turns the steps of a decision into sentences. The keys of the texts are the codes of the steps. */
import { long, shippedTexts, textOf } from "#core/words/ShippedTexts.ts"
import type { LanguageCode } from "#core/words/TextMemory.ts"
import type { DestinationType } from "../Rows.ts"
import { type Code, type Kind, kindOf, type Step } from "../Steps.ts"

/** Step with its sentence. */
export interface Told {
  readonly kind: Kind
  readonly code: Code
  /** One sentence. */
  readonly text: string
}

/** Adds the sentence to a step. */
export const told = (step: Step, language: LanguageCode): Told => ({
  kind: kindOf[step.code],
  code: step.code,
  text: textOf(`server.sip-config.route-steps.${step.code}`, language, valuesOf(step, language))
})

const words = shippedTexts("sip-config.route-steps", {
  en: {
    from_outside: "The call comes from outside.",
    from_phone: "The call comes from a phone of tenant {tenant}.",
    did_is_ours: "The number {number} is ours, of tenant {tenant}.",
    did_is_not_ours: "The number that was called is none of ours.",
    trunk_is_not_the_numbers: "The call does not come from a trunk that brings calls to {number}.",
    is_own_voicemail: "{number} is for a phone's own voicemail box.",
    is_extension: "{number} is an extension of {domain}.",
    is_ring_group: "{number} is a ring group of {domain}.",
    is_voicemail_box: "{number} is a voicemail box of {domain}.",
    is_emergency: "{number} is an emergency number: any trunk of the tenant will do.",
    stays_within: "{number} is a number of the same tenant: the call stays within.",
    is_outside: "{number} is outside.",
    no_such_number: "This is neither an internal nor an outside number.",
    filter_fits: 'The {type, select, blacklist {blacklist} other {whitelist}} "{name}" ({pattern}) fits the caller.',
    filter_does_not_fit: long(
      'The {type, select, blacklist {blacklist} other {whitelist}} "{name}" ({pattern}) does not fit the caller.'
    ),
    filter_refuses: '"{name}" refuses the caller.',
    on_no_whitelist: '"{name}" refuses the caller, who is on no whitelist.',
    did_leads_to: long(
      "{number} leads to the {type, select, extension {extension} ring_group {ring group} ivr_menu {menu} ",
      "voicemail {voicemail box} other {external number}} ",
      '{named, select, id {with the ID {id}} title {"{name}"} other {{name}}}.'
    ),
    external_is_within: "{number} is a number of the same tenant.",
    leads_back: "From there numbers lead back to each other.",
    too_many_hops: "Stops after {hops} numbers that each lead to another number: this looks like a loop.",
    extension_is_off: "The extension {extension} is switched off.",
    group_rings: 'The ring group "{name}" rings {ringing} of {all} extensions, {strategy}, {seconds} s.',
    is_missing: "It does not exist, or is switched off.",
    by_trunk: long(
      'By {trunk}{named, select, yes { "{name}"} other {}}',
      "{shown, select, yes {, showing {callerId}} other {}}."
    ),
    phone_is_unproven: "Only a phone that proved itself may call outside.",
    no_line: "There is no line with a trunk that is switched on.",
    extension_is_called: long(
      "Extension {extension}@{domain} rings{box, select, yes {, then its voicemail box answers} other {}}."
    ),
    group_is_called: 'Ring group "{name}": {members}.',
    menu_answers: 'The menu "{name}" answers.',
    box_answers: "The voicemail box {box}@{domain} answers.",
    box_is_heard: "The caller hears the voicemail box {box}@{domain}.",
    outside_is_called: "{number} is called by {trunks}.",
    call_is_refused: "The call is refused with {status}.",
    thenBy: ", then ",
    strategy: { simultaneous: "simultaneous", sequence: "sequence", random: "random" }
  },
  de: {
    from_outside: "Der Anruf kommt von außen.",
    from_phone: "Der Anruf kommt von einem Telefon des Mandanten {tenant}.",
    did_is_ours: "Die Rufnummer {number} gehört zu uns, zum Mandanten {tenant}.",
    did_is_not_ours: "Die angerufene Nummer gehört nicht zu uns.",
    trunk_is_not_the_numbers: "Der Anruf kommt nicht von einem Anschluss für die Rufnummer {number}.",
    is_own_voicemail: "Mit {number} hört ein Telefon seinen eigenen Anrufbeantworter ab.",
    is_extension: "{number} ist eine Nebenstelle in {domain}.",
    is_ring_group: "{number} ist eine Rufgruppe in {domain}.",
    is_voicemail_box: "{number} ist ein Anrufbeantworter in {domain}.",
    is_emergency: "{number} ist eine Notrufnummer: jeder Anschluss des Mandanten ist geeignet.",
    stays_within: "{number} ist eine Rufnummer desselben Mandanten: der Anruf bleibt intern.",
    is_outside: "{number} liegt außerhalb.",
    no_such_number: "Das ist weder eine interne Nummer noch eine von außerhalb.",
    filter_fits: long(
      "Der {type, select, blacklist {abweisende} other {durchlassende}} Filter „{name}“ ({pattern}) ",
      "passt auf den Anrufer."
    ),
    filter_does_not_fit: long(
      "Der {type, select, blacklist {abweisende} other {durchlassende}} Filter „{name}“ ({pattern}) ",
      "passt nicht auf den Anrufer."
    ),
    filter_refuses: "„{name}“ weist den Anrufer ab.",
    on_no_whitelist: "„{name}“ weist den Anrufer ab, denn kein Filter lässt ihn durch.",
    did_leads_to: long(
      "{number} führt {type, select, extension {zur Nebenstelle} ring_group {zur Rufgruppe} ivr_menu {zum Menü} ",
      "voicemail {zum Anrufbeantworter} other {zur externen Nummer}} ",
      "{named, select, id {mit der ID {id}} title {„{name}“} other {{name}}}."
    ),
    external_is_within: "{number} ist eine Rufnummer desselben Mandanten.",
    leads_back: "Von dort an führen die Rufnummern im Kreis.",
    too_many_hops:
      "Abbruch nach {hops} Rufnummern, die jeweils zu einer anderen führen: das sieht nach einer Schleife aus.",
    extension_is_off: "Die Nebenstelle {extension} ist abgeschaltet.",
    group_rings: long(
      "Die Rufgruppe „{name}“ lässt {ringing} von {all} Nebenstellen klingeln, ",
      "{strategy}, {seconds} s lang."
    ),
    is_missing: "Das Ziel gibt es nicht, oder es ist abgeschaltet.",
    by_trunk: long(
      "Über {trunk}{named, select, yes { „{name}“} other {}}",
      "{shown, select, yes {, gezeigt wird {callerId}} other {}}."
    ),
    phone_is_unproven: "Nach außen darf nur ein Telefon anrufen, das sich ausgewiesen hat.",
    no_line: "Es gibt keine Leitung mit einem eingeschalteten Anschluss.",
    extension_is_called: long(
      "Die Nebenstelle {extension}@{domain} klingelt",
      "{box, select, yes {, danach antwortet ihr Anrufbeantworter} other {}}."
    ),
    group_is_called: "Rufgruppe „{name}“: {members}.",
    menu_answers: "Das Menü „{name}“ antwortet.",
    box_answers: "Der Anrufbeantworter {box}@{domain} antwortet.",
    box_is_heard: "Der Anrufer hört den Anrufbeantworter {box}@{domain} ab.",
    outside_is_called: "{number} wird angerufen über {trunks}.",
    call_is_refused: "Der Anruf wird mit {status} abgelehnt.",
    thenBy: ", dann ",
    strategy: { simultaneous: "alle zugleich", sequence: "nacheinander", random: "nacheinander, in zufälliger Folge" }
  }
})

/** Name of the trunk's gateway in the switch. */
const gateway = (trunk: number): string => `trunk_${trunk}`

/** Whether the destination's name was chosen by people (and is quoted); others are identified by their number. */
const isTitle: Readonly<Record<DestinationType, boolean>> = {
  extension: false,
  ring_group: true,
  ivr_menu: true,
  voicemail: false,
  external: false
}

const yes = (is: boolean): string => (is ? "yes" : "no")

/** The values of a step's sentence. */
const valuesOf = (step: Step, language: LanguageCode): Readonly<Record<string, string | number>> => {
  switch (step.code) {
    case "filter_fits":
    case "filter_does_not_fit":
    case "filter_refuses":
    case "on_no_whitelist": {
      const { name, pattern, type } = step.filter
      return { name, pattern, type }
    }
    case "did_leads_to": {
      const { id, name, number, type } = step
      return { id, number, type, name: name ?? "", named: name === undefined ? "id" : isTitle[type] ? "title" : "name" }
    }
    case "group_rings": {
      const { extensions, name, ring_timeout: seconds, strategy } = step.group
      const all = extensions.length
      return { all, name, seconds, ringing: step.ringing, strategy: words(language).strategy[strategy] }
    }
    case "by_trunk": {
      const { callerId = "", name = "", trunk } = step
      return {
        callerId,
        name,
        trunk: gateway(trunk),
        named: yes(step.name !== undefined),
        shown: yes(step.callerId !== undefined)
      }
    }
    case "extension_is_called":
      return { domain: step.domain, extension: step.extension, box: yes(step.box) }
    case "group_is_called":
      return { name: step.name, members: step.members.join(", ") }
    case "outside_is_called":
      return { number: step.number, trunks: step.trunks.map(gateway).join(words(language).thenBy) }
    default: {
      const { code: _, ...values } = step
      return values
    }
  }
}
