/** Texts for calls and their buttons. Loaded together with the call bar. */
import { words } from "../lib/Language.ts"
import type { Call } from "./CallState.ts"

export const callWords = words({
  en: {
    withheld: "Number withheld",
    calling: "is being called",
    alerting: "rings there",
    ringing: "calls you",
    answering: "is being connected",
    talking: "connected",
    held: "on hold",
    mute: "Mute",
    hold: "Hold",
    hangUp: "Hang up",
    answer: "Answer",
    reject: "Reject",
    keypad: "Dial pad",
    call: "Call",
    outcomes: {
      "hung-up": "Call ended.",
      busy: "Busy.",
      rejected: "The call was turned down.",
      unanswered: "Nobody answered.",
      "unknown-number": "There is no such number.",
      forbidden: "This extension may not call that number.",
      missed: "Missed call.",
      elsewhere: "Taken at another phone.",
      "no-microphone": "No microphone. Allow it for this page in the browser, plug one in, and call again.",
      "no-common-codec": "Both phones have no way of speaking in common.",
      failed: "The call did not come about. Try again; if it stays so, tell your administrator."
    }
  },
  de: {
    withheld: "Nummer unterdrückt",
    calling: "wird angerufen",
    alerting: "es klingelt dort",
    ringing: "ruft an",
    answering: "wird verbunden",
    talking: "verbunden",
    held: "gehalten",
    mute: "Stumm",
    hold: "Halten",
    hangUp: "Auflegen",
    answer: "Annehmen",
    reject: "Ablehnen",
    keypad: "Wählfeld",
    call: "Anruf",
    outcomes: {
      "hung-up": "Gespräch beendet.",
      busy: "Besetzt.",
      rejected: "Der Anruf wurde abgelehnt.",
      unanswered: "Niemand hat abgenommen.",
      "unknown-number": "Diese Nummer gibt es nicht.",
      forbidden: "Diese Nebenstelle darf diese Nummer nicht anrufen.",
      missed: "Verpasster Anruf.",
      elsewhere: "An einem anderen Telefon angenommen.",
      "no-microphone":
        "Kein Mikrofon. Erlauben Sie es im Browser für diese Seite, schließen Sie eines an und rufen Sie noch einmal an.",
      "no-common-codec": "Die beiden Telefone haben keinen gemeinsamen Codec.",
      failed:
        "Der Anruf kam nicht zustande. Versuchen Sie es noch einmal; bleibt es so, sagen Sie es Ihrem Administrator."
    }
  }
})

/** Name or number of the other side. */
export const otherSide = ({ name, number }: Call): string => name ?? (number === "" ? callWords().withheld : number)

/** Text for the state of a call. */
export const standing = ({ held, outcome, phase }: Call): string =>
  phase === "ended"
    ? callWords().outcomes[outcome ?? "hung-up"]
    : phase === "talking" && held
      ? callWords().held
      : callWords()[phase]
