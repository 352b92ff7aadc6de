/**
 * A function of its argument alone, whose answers are remembered. For hot paths: a hit is one look into a map and moves
 * nothing; the one remembered longest goes first.
 */
export const remembering = <Argument, Answer>(max: number, compute: (argument: Argument) => Answer): (argument: Argument) => Answer => {
  const answers = new Map<Argument, Answer>()
  return (argument) => {
    const known = answers.get(argument)
    if (known !== undefined) return known
    const answer = compute(argument)
    if (answers.size >= max) answers.delete(answers.keys().next().value!)
    answers.set(argument, answer)
    return answer
  }
}
