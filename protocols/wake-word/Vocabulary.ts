/** Words of the sentences that voices speak as other speech. Written for this project. */

export interface Vocabulary {
  /** German nouns with their article in the nominative. */
  readonly nouns: ReadonlyArray<string>
  /** Third person singular. */
  readonly verbs: ReadonlyArray<string>
  readonly adjectives: ReadonlyArray<string>
  readonly adverbs: ReadonlyArray<string>
  readonly names: ReadonlyArray<string>
  /** `N`, `V`, `A`, `D`, `P` and `#` stand for noun, verb, adjective, adverb, name and number. */
  readonly patterns: ReadonlyArray<string>
}

const words = (text: string): ReadonlyArray<string> => text.trim().split(/\s*,\s*/)

export const german: Vocabulary = {
  nouns: words(`
    der Tisch, die Lampe, das Fenster, der Garten, die Straße, das Haus, der Bahnhof, die Brücke, das Wetter, der Regen,
    die Sonne, das Wasser, der Kaffee, die Milch, das Brot, der Apfel, die Butter, das Messer, der Löffel, die Gabel,
    das Telefon, der Rechner, die Tastatur, das Kabel, der Drucker, die Zeitung, das Buch, der Brief, die Rechnung,
    das Konto, der Vertrag, die Versicherung, das Gespräch, der Termin, die Sitzung, das Büro, der Kollege, die Chefin,
    das Kind, der Lehrer, die Schule, das Zeugnis, der Unterricht, die Klasse, das Fahrrad, der Wagen, die Werkstatt,
    das Rad, der Motor, die Bremse, das Flugzeug, der Zug, die Fahrkarte, das Gepäck, der Koffer, die Reise, das Meer,
    der Berg, die Wiese, das Tal, der Wald, die Blume, das Gras, der Hund, die Katze, das Pferd, der Vogel, die Kuh,
    das Huhn, der Fisch, die Suppe, das Gemüse, der Salat, die Kartoffel, das Fleisch, der Käse, die Wurst, das Ei,
    der Arzt, die Apotheke, das Krankenhaus, der Zahn, die Schulter, das Knie, der Rücken, die Hand, das Ohr,
    der Mantel, die Hose, das Hemd, der Schuh, die Tasche, das Tuch, der Preis, die Kasse, das Angebot, der Markt,
    die Wohnung, das Dach, der Keller, die Treppe, das Zimmer, der Schlüssel, die Heizung, das Licht, der Strom,
    die Musik, das Lied, der Tanz, die Geige, das Klavier, der Film, die Bühne, das Bild, der Maler, die Farbe,
    das Spiel, der Verein, die Mannschaft, das Tor, der Schiedsrichter, die Tabelle, das Ergebnis, der Sieg,
    die Regierung, das Gesetz, der Richter, die Wahl, das Parlament, der Minister, die Partei, das Dorf, der Bürger,
    die Feuerwehr, das Museum, der Turm, die Kirche, das Schloss, der Brunnen, die Mauer, das Denkmal, der Platz`),
  verbs: words(`
    arbeitet, beginnt, bleibt, bringt, fährt, fällt, fehlt, findet, fließt, fragt, funktioniert, gefällt, gehört,
    glänzt, hilft, hört, kommt, kostet, lacht, läuft, lebt, leuchtet, liegt, passt, raucht, reicht, ruft, schläft,
    schmeckt, schreibt, schwimmt, singt, spielt, spricht, springt, steht, stimmt, sucht, tanzt, träumt, verschwindet,
    wächst, wandert, wartet, wechselt, weint, wirkt, wohnt, zählt, zeigt, zögert, stört, brennt, friert, kocht,
    klingelt`),
  adjectives: words(`
    alt, blau, breit, bunt, dunkel, dünn, einfach, ernst, falsch, fein, fertig, flach, frei, freundlich, frisch, gelb,
    gemütlich, genau, gesund, glatt, groß, grün, günstig, hart, heiß, hell, hoch, jung, kalt, klein, klug, kräftig,
    kurz, lang, langsam, laut, leer, leicht, lustig, möglich, müde, nass, neu, nützlich, offen, praktisch, pünktlich,
    richtig, rot, ruhig, sauber, scharf, schmal, schnell, schön, schwach, schwarz, schwer, selten, sicher, spät,
    stark, still, süß, tief, trocken, voll, warm, weich, weiß, wichtig, wild, zufrieden, zuverlässig`),
  adverbs: words(`
    heute, morgen, gestern, oft, selten, manchmal, immer, niemals, bald, gleich, später, draußen, drinnen, oben, unten,
    hier, dort, überall, nirgends, gerne, leider, vielleicht, bestimmt, wirklich, ziemlich gut, ohne Grund, am Abend,
    am Wochenende, im Sommer, im Winter, vor dem Essen, nach der Arbeit, jeden Montag, zum zweiten Mal, seit Jahren`),
  names: words(`
    Anna, Bernd, Christa, Dieter, Elke, Frank, Gisela, Hannes, Ingrid, Jürgen, Karin, Ludwig, Monika, Norbert, Olaf,
    Petra, Rainer, Sabine, Thomas, Ursula, Volker, Werner, Hamburg, München, Köln, Dresden, Bremen, Stuttgart, Leipzig,
    Rostock, Kassel, Freiburg, Würzburg, Augsburg, Bayern, Hessen, Sachsen, Österreich, Frankreich, Spanien`),
  patterns: [
    "N V D.",
    "N ist A und N V D.",
    "Warum V N D?",
    "Heute V N nicht, aber N ist A.",
    "P sagt, dass N D A war.",
    "Wo ist N?",
    "Das ist N, und N ist nicht A.",
    "In P V N D.",
    "P und P wohnen in P.",
    "N kostet # Euro.",
    "Es sind # Grad in P, und N V.",
    "Kannst du mir sagen, ob N A ist?",
    "Wenn N V, dann ist N A.",
    "P, bitte warte, N V D.",
    "Um # Uhr V N.",
    "A und A, so war N.",
    "Ich glaube, N V D.",
    "Nicht N, sondern N V in P."
  ]
}

export const english: Vocabulary = {
  nouns: words(`
    table, lamp, window, garden, street, house, station, bridge, weather, rain, sun, water, coffee, milk, bread, apple,
    butter, knife, spoon, fork, telephone, computer, keyboard, cable, printer, newspaper, book, letter, invoice,
    account, contract, insurance, conversation, appointment, meeting, office, colleague, manager, child, teacher,
    school, report, lesson, class, bicycle, car, garage, wheel, engine, brake, airplane, train, ticket, luggage,
    suitcase, journey, sea, mountain, meadow, valley, forest, flower, grass, dog, cat, horse, bird, cow, chicken,
    fish, soup, vegetable, salad, potato, meat, cheese, sausage, egg, doctor, pharmacy, hospital, tooth, shoulder,
    knee, back, hand, ear, coat, trouser, shirt, shoe, bag, scarf, price, cashier, offer, market, apartment, roof,
    cellar, staircase, room, key, heater, light, power, music, song, dance, violin, piano, movie, stage, picture,
    painter, color, game, club, team, goal, referee, result, victory, government, law, judge, election, parliament,
    minister, party, village, citizen, firefighter, museum, tower, church, castle, fountain, wall, monument, square,
    river, island, harbor, ship, captain, sailor, storm, cloud, thunder, lightning, winter, summer, autumn, spring,
    morning, evening, pillow, blanket, carpet, curtain, mirror, shelf, drawer, basket, bottle, glass, plate, kettle,
    oven, sugar, pepper, vinegar, onion, carrot`),
  verbs: words(`
    works, begins, stays, arrives, drives, falls, matters, finds us, flows, asks, functions, pleases me, belongs here,
    shines, helps, listens, comes, costs money, laughs, runs, lives, glows, lies there, fits, smokes, reaches us, calls,
    sleeps, tastes good, writes, swims, sings, plays, speaks, jumps, stands, agrees, searches, dances, dreams,
    disappears, grows, wanders, waits, changes, cries, counts, points north, hesitates, burns, freezes, cooks, rings,
    breaks, turns, opens, closes, moves, rests, travels, whistles, returns, vanishes, improves, shakes, floats`),
  adjectives: words(`
    old, blue, broad, colorful, dark, thin, simple, serious, wrong, fine, ready, flat, free, friendly, fresh, yellow,
    cozy, exact, healthy, smooth, large, green, cheap, hard, hot, bright, high, young, cold, small, clever, strong,
    short, long, slow, loud, empty, easy, funny, possible, tired, wet, new, useful, open, practical, punctual,
    correct, red, quiet, clean, sharp, narrow, quick, beautiful, weak, black, heavy, rare, safe, late, still, sweet,
    deep, dry, full, warm, soft, white, important, wild, content, reliable, hollow, famous, gentle, rusty, golden,
    ancient, crowded`),
  adverbs: words(`
    today, tomorrow, yesterday, often, rarely, sometimes, always, never, soon, at once, later, outside, inside,
    upstairs, downstairs, here, there, everywhere, nowhere, gladly, unfortunately, perhaps, certainly, really, quite
    well, without a reason, in the evening, on weekends, in summer, in winter, before dinner, after work, every Monday,
    for the second time, for years, by accident, on purpose, again and again`),
  names: words(`
    Anna, Brian, Carol, David, Emily, Frank, Grace, Henry, Isabel, Jack, Karen, Louis, Megan, Norman, Oliver, Patricia,
    Robert, Susan, Thomas, Ursula, Victor, William, London, Boston, Chicago, Dublin, Glasgow, Manchester, Bristol,
    Oxford, Cambridge, Toronto, Sydney, Melbourne, Texas, Florida, Ireland, Scotland, Canada, Australia`),
  patterns: [
    "The N V D.",
    "The N is A and the N V D.",
    "Why is the N so A?",
    "Today the N is not A, but the N V.",
    "P says that the N was A D.",
    "Where is the N?",
    "This is a N, and the N is not A.",
    "In P the N V D.",
    "P and P live in P.",
    "The N costs # dollars.",
    "It is # degrees in P, and the N V.",
    "Can you tell me whether the N is A?",
    "When the N V, the N is A.",
    "P, please wait, the N V D.",
    "At # o'clock the N V.",
    "A and A, that was the N.",
    "I think the N V D.",
    "Not the N but the N V in P."
  ]
}
