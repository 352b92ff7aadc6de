import { platformSettings } from "#core/config/PlatformSettings.ts"
import { integer, type Values } from "#core/config/Settings.ts"
import { speechSettings } from "#core/speech/SpeechSettings.ts"
import { extractorSettings } from "../engine/Exports.ts"

export const trainingSettings = {
  ...extractorSettings,
  dataDir: platformSettings.dataDir,
  ttsUrl: speechSettings.ttsUrl,
  ttsToken: speechSettings.ttsToken,
  ttsStandIns: speechSettings.ttsStandIns,
  niceness: integer("SIGNALBOX_WAKE_WORD_NICENESS", {
    doc:
      "Priority of trainings: 0 is that of all other work, 19 the lowest, with which a training only gets time that " +
      "nothing else needs",
    unit: "niceness",
    default: 19,
    min: 0,
    max: 19
  }),
  maxOpen: integer("SIGNALBOX_WAKE_WORD_TRAININGS", {
    doc: "Maximum number of trainings of one tenant that wait or run",
    unit: "trainings",
    default: 5,
    min: 1,
    max: 100
  })
}

export type TrainingConfig = Values<typeof trainingSettings>
