/** What was made of the newest input to a question, for a bounded number of questions. */

/**
 * Remembers outputs of a function that depends on its question and its input alone. One for each question is enough: inputs change
 * with the chain, and never back.
 * @param capacity most questions remembered; beyond it the one whose output was made longest ago is forgotten
 * @returns `make()`, or what it gave for the same question and input before
 */
export function remembered<Output>(capacity: number): (question: string, input: string, make: () => Output) => Output {
  const latest = new Map<string, { readonly input: string; readonly output: Output }>();
  return (question, input, make) => {
    const known = latest.get(question);
    if (known?.input === input) return known.output;
    const output = make();
    latest.delete(question);
    latest.set(question, { input, output });
    const [oldest] = latest.keys();
    if (latest.size > capacity && oldest !== undefined) latest.delete(oldest);
    return output;
  };
}
