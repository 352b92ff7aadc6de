import { words } from "../../lib/Language.ts"

export const callWords = words({
  en: {
    calls: "Calls",
    when: "When",
    direction: "Direction",
    from: "From",
    to: "To",
    by: "Taken by",
    state: "State",
    duration: "Duration",
    withheld: "number withheld",
    inbound: "inbound",
    outbound: "outbound",
    internal: "internal",
    ringing: "rings",
    answered: "in progress",
    taken: "taken",
    missed: "missed",
    unanswered: "not taken"
  },
  de: {
    calls: "Anrufe",
    when: "Wann",
    direction: "Richtung",
    from: "Von",
    to: "An",
    by: "Angenommen von",
    state: "Zustand",
    duration: "Dauer",
    withheld: "Nummer unterdrückt",
    inbound: "eingehend",
    outbound: "ausgehend",
    internal: "intern",
    ringing: "klingelt",
    answered: "im Gespräch",
    taken: "angenommen",
    missed: "verpasst",
    unanswered: "nicht angenommen"
  }
})
