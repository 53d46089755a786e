/** Of whatever is asked for again and again: how many answers are kept, and how long a question is kept with its answer. */
export interface Memory {
  readonly most: number;
  /** Characters. A longer question is answered each time it is asked. */
  readonly longest: number;
}

/**
 * A function that answers each question once, where the same question always has the same answer. Callers may ask any number
 * of questions: when the memory is full it begins anew.
 */
export function remembered<Answer>(
  { most, longest }: Memory,
  answer: (question: string) => Answer,
): (question: string) => Answer {
  const known = new Map<string, Answer>();
  return (question) => {
    const found = known.get(question);
    if (found !== undefined || known.has(question)) return found as Answer;
    const fresh = answer(question);
    if (question.length > longest) return fresh;
    if (known.size >= most) known.clear();
    known.set(question, fresh);
    return fresh;
  };
}
