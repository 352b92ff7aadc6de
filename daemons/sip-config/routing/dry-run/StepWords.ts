/** Turns the steps of a decision into sentences. Pure. */
import type { Language } from "#core/words/Language.ts"
import type { DestinationType } from "../Rows.ts"
import type { CallFilter, RingGroup } from "../Rows.ts"
import { type Code, type Kind, kindOf, type Step, type StepOf } from "../Steps.ts"

/** Step with its sentence. */
export interface Told {
  readonly kind: Kind
  readonly code: Code
  /** One sentence. */
  readonly text: string
}

/** Adds the sentence to a step. */
export const told = (step: Step, language: Language): Told => ({
  kind: kindOf[step.code],
  code: step.code,
  text: (dictionaries[language][step.code] as (step: Step) => string)(step)
})

type Dictionary = { readonly [C in Code]: (step: StepOf<C>) => string }

const english: Dictionary = {
  from_outside: () => "The call comes from outside.",
  from_phone: ({ tenant }) => `The call comes from a phone of tenant ${tenant}.`,
  did_is_ours: ({ number, tenant }) => `The number ${number} is ours, of tenant ${tenant}.`,
  did_is_not_ours: () => "The number that was called is none of ours.",
  trunk_is_not_the_numbers: ({ number }) => `The call does not come from a trunk that brings calls to ${number}.`,
  is_own_voicemail: ({ number }) => `${number} is for a phone's own voicemail box.`,
  is_extension: ({ domain, number }) => `${number} is an extension of ${domain}.`,
  is_ring_group: ({ domain, number }) => `${number} is a ring group of ${domain}.`,
  is_voicemail_box: ({ domain, number }) => `${number} is a voicemail box of ${domain}.`,
  is_emergency: ({ number }) => `${number} is an emergency number: any trunk of the tenant will do.`,
  stays_within: ({ number }) => `${number} is a number of the same tenant: the call stays within.`,
  is_outside: ({ number }) => `${number} is outside.`,
  no_such_number: () => "There is no such number within, and it is none of outside.",
  filter_fits: ({ filter: { name, pattern, type } }) => `The ${type} "${name}" (${pattern}) fits the caller.`,
  filter_does_not_fit: ({ filter: { name, pattern, type } }) =>
    `The ${type} "${name}" (${pattern}) does not fit the caller.`,
  filter_refuses: ({ filter }) => `"${filter.name}" refuses the caller.`,
  on_no_whitelist: ({ filter }) => `"${filter.name}" refuses the caller, who is on no whitelist.`,
  did_leads_to: ({ id, name, number, type }) =>
    `${number} leads to the ${englishDestinations[type]} ` +
    `${name === undefined ? `with the ID ${id}` : isTitle[type] ? `"${name}"` : name}.`,
  external_is_within: ({ number }) => `${number} is a number of the same tenant.`,
  leads_back: () => "From there numbers lead back to each other.",
  too_many_hops: ({ hops }) => `After ${hops} numbers that lead to numbers this is taken for a circle.`,
  extension_is_off: ({ extension }) => `The extension ${extension} is switched off.`,
  group_rings: ({ group: { extensions, name, ring_timeout, strategy }, ringing }) =>
    `The ring group "${name}" rings ${ringing} of ${extensions.length} extensions, ${strategy}, ${ring_timeout} s.`,
  is_missing: () => "That is not there, or is switched off.",
  by_trunk: ({ callerId, name, trunk }) =>
    `By ${gateway(trunk)}${name === undefined ? "" : ` "${name}"`}` +
    `${callerId === undefined ? "" : `, showing ${callerId}`}.`,
  phone_is_unproven: () => "Only a phone that proved itself may call outside.",
  no_line: () => "There is no line with a trunk that is switched on.",
  extension_is_called: ({ box, domain, extension }) =>
    `Extension ${extension}@${domain} rings${box ? ", then its voicemail box answers" : ""}.`,
  group_is_called: ({ members, name }) => `Ring group "${name}": ${members.join(", ")}.`,
  menu_answers: ({ name }) => `The menu "${name}" answers.`,
  box_answers: ({ box, domain }) => `The voicemail box ${box}@${domain} answers.`,
  box_is_heard: ({ box, domain }) => `The caller hears the voicemail box ${box}@${domain}.`,
  outside_is_called: ({ number, trunks }) => `${number} is called by ${trunks.map(gateway).join(", then ")}.`,
  call_is_refused: ({ status }) => `The call is refused with ${status}.`
}

const german: Dictionary = {
  from_outside: () => "Der Anruf kommt von außen.",
  from_phone: ({ tenant }) => `Der Anruf kommt von einem Telefon des Mandanten ${tenant}.`,
  did_is_ours: ({ number, tenant }) => `Die Rufnummer ${number} gehört zu uns, zum Mandanten ${tenant}.`,
  did_is_not_ours: () => "Die angerufene Nummer gehört nicht zu uns.",
  trunk_is_not_the_numbers: ({ number }) => `Der Anruf kommt nicht von einem Anschluss für die Rufnummer ${number}.`,
  is_own_voicemail: ({ number }) => `Mit ${number} hört ein Telefon seinen eigenen Anrufbeantworter ab.`,
  is_extension: ({ domain, number }) => `${number} ist eine Nebenstelle in ${domain}.`,
  is_ring_group: ({ domain, number }) => `${number} ist eine Rufgruppe in ${domain}.`,
  is_voicemail_box: ({ domain, number }) => `${number} ist ein Anrufbeantworter in ${domain}.`,
  is_emergency: ({ number }) => `${number} ist eine Notrufnummer: jeder Anschluss des Mandanten ist recht.`,
  stays_within: ({ number }) => `${number} ist eine Rufnummer desselben Mandanten: der Anruf bleibt im Haus.`,
  is_outside: ({ number }) => `${number} liegt außerhalb.`,
  no_such_number: () => "Diese Nummer gibt es im Haus nicht, und eine von außerhalb ist sie auch nicht.",
  filter_fits: ({ filter }) =>
    `${germanFilters[filter.type]} „${filter.name}“ (${filter.pattern}) passt auf den Anrufer.`,
  filter_does_not_fit: ({ filter }) =>
    `${germanFilters[filter.type]} „${filter.name}“ (${filter.pattern}) passt nicht auf den Anrufer.`,
  filter_refuses: ({ filter }) => `„${filter.name}“ weist den Anrufer ab.`,
  on_no_whitelist: ({ filter }) => `„${filter.name}“ weist den Anrufer ab, denn kein Filter lässt ihn durch.`,
  did_leads_to: ({ id, name, number, type }) =>
    `${number} führt ${germanDestinations[type]} ` +
    `${name === undefined ? `mit der ID ${id}` : isTitle[type] ? `„${name}“` : name}.`,
  external_is_within: ({ number }) => `${number} ist eine Rufnummer desselben Mandanten.`,
  leads_back: () => "Von dort an führen die Rufnummern im Kreis.",
  too_many_hops: ({ hops }) => `Nach ${hops} Rufnummern, die zu Rufnummern führen, gilt das als Kreis.`,
  extension_is_off: ({ extension }) => `Die Nebenstelle ${extension} ist abgeschaltet.`,
  group_rings: ({ group: { extensions, name, ring_timeout, strategy }, ringing }) =>
    `Die Rufgruppe „${name}“ lässt ${ringing} von ${extensions.length} Nebenstellen klingeln, ` +
    `${germanStrategies[strategy]}, ${ring_timeout} s lang.`,
  is_missing: () => "Das Ziel gibt es nicht, oder es ist abgeschaltet.",
  by_trunk: ({ callerId, name, trunk }) =>
    `Über ${gateway(trunk)}${name === undefined ? "" : ` „${name}“`}` +
    `${callerId === undefined ? "" : `, gezeigt wird ${callerId}`}.`,
  phone_is_unproven: () => "Nach außen darf nur ein Telefon anrufen, das sich ausgewiesen hat.",
  no_line: () => "Es gibt keine Leitung mit einem eingeschalteten Anschluss.",
  extension_is_called: ({ box, domain, extension }) =>
    `Die Nebenstelle ${extension}@${domain} klingelt${box ? ", danach antwortet ihr Anrufbeantworter" : ""}.`,
  group_is_called: ({ members, name }) => `Rufgruppe „${name}“: ${members.join(", ")}.`,
  menu_answers: ({ name }) => `Das Menü „${name}“ antwortet.`,
  box_answers: ({ box, domain }) => `Der Anrufbeantworter ${box}@${domain} antwortet.`,
  box_is_heard: ({ box, domain }) => `Der Anrufer hört den Anrufbeantworter ${box}@${domain} ab.`,
  outside_is_called: ({ number, trunks }) => `${number} wird angerufen über ${trunks.map(gateway).join(", dann ")}.`,
  call_is_refused: ({ status }) => `Der Anruf wird mit ${status} abgelehnt.`
}

const dictionaries: Readonly<Record<Language, Dictionary>> = { de: german, en: english }

const germanFilters: Readonly<Record<CallFilter["type"], string>> = {
  blacklist: "Der abweisende Filter",
  whitelist: "Der durchlassende Filter"
}

/** Whether the destination's name was chosen by people (and is quoted); others are identified by their number. */
const isTitle: Readonly<Record<DestinationType, boolean>> = {
  extension: false,
  ring_group: true,
  ivr_menu: true,
  voicemail: false,
  external: false
}

const englishDestinations: Readonly<Record<DestinationType, string>> = {
  extension: "extension",
  ring_group: "ring group",
  ivr_menu: "menu",
  voicemail: "voicemail box",
  external: "external number"
}

const germanDestinations: Readonly<Record<DestinationType, string>> = {
  extension: "zur Nebenstelle",
  ring_group: "zur Rufgruppe",
  ivr_menu: "zum Menü",
  voicemail: "zum Anrufbeantworter",
  external: "zur externen Nummer"
}

const germanStrategies: Readonly<Record<RingGroup["strategy"], string>> = {
  simultaneous: "alle zugleich",
  sequence: "nacheinander",
  random: "nacheinander, in zufälliger Folge"
}

/** Name of the trunk's gateway in the switch. */
const gateway = (trunk: number): string => `trunk_${trunk}`
