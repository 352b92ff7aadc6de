/** German translations of the daemon's English sentences. Missing ones are shown in English. Pure. */
const comma = (figure = ""): string => figure.replace(".", ",")

const german: ReadonlyArray<readonly [RegExp, (...found: ReadonlyArray<string>) => string]> = [
  // Bounds of activation.
  [/^it was not measured$/, () => "es wurde nicht gemessen"],
  [
    /^false accepts were measured over ([\d.]+) h, less than ([\d.]+) h$/,
    (found, least) => `Fehlauslösungen wurden über ${comma(found)} h gemessen, weniger als ${comma(least)} h`
  ],
  [
    /^misses were measured with (\d+) utterances, less than (\d+)$/,
    (found, least) => `Überhörtes wurde an ${found} Äußerungen gemessen, weniger als ${least}`
  ],
  [
    /^([\d.]+) false accepts an hour, more than ([\d.]+)$/,
    (found, most) => `${comma(found)} Fehlauslösungen in der Stunde, mehr als ${comma(most)}`
  ],
  [
    /^([\d.]+) % of the utterances are missed, more than ([\d.]+) %$/,
    (found, most) => `${comma(found)} % der Äußerungen werden überhört, mehr als ${comma(most)} %`
  ],
  // What the measurements do not cover.
  [
    /^Measured on speech of espeak-ng, .*$/,
    () =>
      "Gemessen an Sprache von espeak-ng, deren Stimmen einer Sprache denselben Synthesizer haben: Menschen werden " +
      "vielleicht schlechter gehört."
  ],
  [
    /^(\d+) of (\d+) phrases that sound like the word were accepted\.$/,
    (found, all) => `${found} von ${all} ähnlich klingenden Wendungen lösten aus.`
  ],
  [
    /^The utterances include (\d+) recordings of people who were not in the training\.$/,
    (found) => `Die Äußerungen enthalten ${found} Aufnahmen von Menschen, die nicht im Training waren.`
  ],
  [/^No recordings of people were held out\.$/, () => "Es wurden keine Aufnahmen von Menschen zurückgehalten."],
  // Files that are no recording.
  [/^the same recording is there already$/, () => "dieselbe Aufnahme ist schon da"],
  [/^it has (\d+) ms, less than (\d+) ms$/, (found, least) => `sie hat ${found} ms, weniger als ${least} ms`],
  [/^the WAV file cannot be used: it has no samples$/, () => "sie enthält keinen Ton"],
  [/^the WAV file cannot be used: it is longer than (\d+) seconds$/, (most) => `sie ist länger als ${most} Sekunden`],
  [/^the WAV file cannot be used: it is no RIFF\/WAVE file$/, () => "sie ist keine WAV-Datei"],
  [
    /^the WAV file cannot be used: its encoding is neither PCM nor float$/,
    () => "ihre Kodierung ist weder PCM noch Float"
  ],
  [
    /^the WAV file cannot be used: its sample rate is not between 4 and 192 kHz$/,
    () => "ihre Abtastrate liegt nicht zwischen 4 und 192 kHz"
  ],
  [/^the WAV file cannot be used: it does not have 1 to 8 channels$/, () => "sie hat nicht einen bis acht Kanäle"],
  [/^the WAV file cannot be used: .*$/, () => "die WAV-Datei ist beschädigt"],
  // Models that cannot be used.
  [
    /^the model was made with the extractor (.+), not with (.+): train the word again$/,
    (made, present) =>
      `das Modell entstand mit den Merkmalen von ${made}, nicht mit denen von ${present}: trainieren Sie das Wort neu`
  ],
  [/^no ONNX runtime can be loaded: .*$/, () => "die ONNX-Laufzeit fehlt (npm ci)"],
  [/^the model file cannot be used: .*$/, () => "die Datei des Modells ist nicht brauchbar"],
  // Failed trainings.
  [
    /^The process that ran it ended (\d+) times in the same phase\.$/,
    (times) => `Sein Prozess endete ${times}-mal in derselben Phase.`
  ]
]

/** `sentence` in German; undefined when there is no translation. Pure. */
export const inGerman = (sentence: string): string | undefined => {
  for (const [pattern, say] of german) {
    const found = pattern.exec(sentence)
    if (found !== null) return say(...found.slice(1))
  }
  return undefined
}
