import { words } from "../../lib/Language.ts"
import type { Trouble } from "../../softphone/Registration.ts"

/** Texts for the reasons why the phone is not reachable, with advice. */
const t = words({
  en: {
    unreachable:
      "The telephone switch does not answer. It is tried again by itself; calls do not reach this browser until then.",
    refused:
      "The switch does not take the password of this extension. Ask your administrator for a new one, then turn the softphone on again.",
    disabled:
      "This extension is switched off. Ask your administrator to switch it on, then turn the softphone on again.",
    "not-yours": "This extension is not yours any more. Choose another one, or ask your administrator."
  },
  de: {
    unreachable:
      "Die Telefonanlage antwortet nicht. Es wird von selbst wieder versucht; bis dahin erreicht Sie in diesem Browser kein Anruf.",
    refused:
      "Die Anlage nimmt das Passwort dieser Nebenstelle nicht an. Bitten Sie Ihren Administrator um ein neues und schalten Sie das Softphone dann wieder ein.",
    disabled:
      "Diese Nebenstelle ist abgeschaltet. Bitten Sie Ihren Administrator, sie einzuschalten, und schalten Sie das Softphone dann wieder ein.",
    "not-yours":
      "Diese Nebenstelle gehört Ihnen nicht mehr. Wählen Sie eine andere oder fragen Sie Ihren Administrator."
  }
})

export const troubleWords = (trouble: Trouble): string => t()[trouble]
