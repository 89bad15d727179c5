/** Schedules that a few words mean: that of this id or with just these words, else all whose prompt or time has them. */
export function schedulesNamed<S extends { readonly id: string; readonly text: string; readonly when: string }>(
	all: readonly S[],
	name: string | undefined,
): readonly S[] {
	if (name === undefined) {
		return all;
	}
	const wanted = name.toLowerCase();
	const exact = all.filter(({ id, text }) => id === name || text.toLowerCase() === wanted);
	return exact.length > 0
		? exact
		: all.filter(({ text, when }) => [text, when].some((words) => words.toLowerCase().includes(wanted)));
}
