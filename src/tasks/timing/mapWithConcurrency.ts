/** Maps at most `atOnce` items at a time. Returns the results in the order of the items. */
export async function mapWithConcurrency<One, Result>(
  many: readonly One[],
  atOnce: number,
  use: (one: One) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = new Array(many.length);
  const waiting = many.entries();
  const work = async () => {
    for (const [index, one] of waiting) results[index] = await use(one);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return results;
}
