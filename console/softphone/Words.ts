/** How the softphone's states are told, and what to do about them. */
import { words } from "../lib/Language.ts"
import type { Call, Outcome } from "./CallState.ts"
import type { Trouble } from "./Registration.ts"

export const phoneWords = words({
  en: {
    phone: "Softphone", withheld: "Number withheld",
    states: { off: "off", elsewhere: "in another tab", connecting: "connecting", registered: "registered", failed: "not reachable" },
    calling: "is being called", alerting: "rings there", ringing: "calls you", answering: "is being connected", talking: "connected", held: "on hold",
    mute: "Mute", hold: "Hold", hangUp: "Hang up", answer: "Answer", reject: "Reject", keypad: "Dial pad", call: "Call",
    outcomes: {
      "hung-up": "Call ended.", busy: "Busy.", rejected: "The call was turned down.", unanswered: "Nobody answered.", "unknown-number": "There is no such number.", forbidden: "This extension may not call that number.",
      missed: "Missed call.", elsewhere: "Taken at another phone.", "no-microphone": "No microphone. Allow it for this page in the browser, plug one in, and call again.",
      "no-common-codec": "Both phones have no way of speaking in common.", failed: "The call did not come about. Try again; if it stays so, tell your administrator."
    },
    troubles: {
      unreachable: "The telephone switch does not answer. It is tried again by itself; calls do not reach this browser until then.",
      refused: "The switch does not take the password of this extension. Ask your administrator for a new one, then turn the softphone on again.",
      disabled: "This extension is switched off. Ask your administrator to switch it on, then turn the softphone on again.",
      "not-yours": "This extension is not yours any more. Choose another one, or ask your administrator."
    }
  },
  de: {
    phone: "Softphone", withheld: "Nummer unterdrückt",
    states: { off: "aus", elsewhere: "in einem anderen Tab", connecting: "verbindet", registered: "angemeldet", failed: "nicht erreichbar" },
    calling: "wird angerufen", alerting: "es klingelt dort", ringing: "ruft an", answering: "wird verbunden", talking: "verbunden", held: "gehalten",
    mute: "Stumm", hold: "Halten", hangUp: "Auflegen", answer: "Annehmen", reject: "Ablehnen", keypad: "Wählfeld", call: "Anruf",
    outcomes: {
      "hung-up": "Gespräch beendet.", busy: "Besetzt.", rejected: "Der Anruf wurde abgelehnt.", unanswered: "Niemand hat abgenommen.", "unknown-number": "Diese Nummer gibt es nicht.", forbidden: "Diese Nebenstelle darf diese Nummer nicht anrufen.",
      missed: "Verpasster Anruf.", elsewhere: "An einem anderen Telefon angenommen.", "no-microphone": "Kein Mikrofon. Erlauben Sie es im Browser für diese Seite, schließen Sie eines an und rufen Sie noch einmal an.",
      "no-common-codec": "Die beiden Telefone haben keine gemeinsame Art zu sprechen.", failed: "Der Anruf kam nicht zustande. Versuchen Sie es noch einmal; bleibt es so, sagen Sie es Ihrem Administrator."
    },
    troubles: {
      unreachable: "Die Telefonanlage antwortet nicht. Es wird von selbst wieder versucht; bis dahin erreicht Sie in diesem Browser kein Anruf.",
      refused: "Die Anlage nimmt das Passwort dieser Nebenstelle nicht an. Bitten Sie Ihren Administrator um ein neues und schalten Sie das Softphone dann wieder ein.",
      disabled: "Diese Nebenstelle ist abgeschaltet. Bitten Sie Ihren Administrator, sie einzuschalten, und schalten Sie das Softphone dann wieder ein.",
      "not-yours": "Diese Nebenstelle gehört Ihnen nicht mehr. Wählen Sie eine andere oder fragen Sie Ihren Administrator."
    }
  }
})

/** Who is at the other end. */
export const otherSide = ({ name, number }: Call): string => name ?? (number === "" ? phoneWords().withheld : number)

/** How a call stands, in a word or a sentence. */
export const standing = ({ held, outcome, phase }: Call): string =>
  phase === "ended" ? outcomeWords(outcome ?? "hung-up") : phase === "talking" && held ? phoneWords().held : phoneWords()[phase]

export const outcomeWords = (outcome: Outcome): string => phoneWords().outcomes[outcome]
export const troubleWords = (trouble: Trouble): string => phoneWords().troubles[trouble]
