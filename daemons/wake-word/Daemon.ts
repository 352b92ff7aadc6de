import * as Daemon from "#core/daemon/Daemon.ts"
import { listening } from "./listening/Feature.ts"
import { models } from "./models/Feature.ts"
import { samples } from "./samples/Feature.ts"
import { training } from "./training/Feature.ts"
import "./HealthTexts.ts"
import "./ProblemTexts.ts"

/** Hears a word in a stream of audio, and trains models for words on this machine. */
export const wakeWord = Daemon.make({
  name: "wake-word",
  title: "Wake word",
  description: "Hears a wake word in the audio that browsers stream, and trains models for words on this machine",
  port: 8114,
  features: [listening, models, samples, training]
})
