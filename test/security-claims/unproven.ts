/** Beginnings of paragraphs of docs/security.md that promise nothing a spec could prove. */
export const unproven: readonly string[] = [
	// An order, each part of which is proven by what follows it.
	'From most to least trusted: the host',
	// The head of a table.
	'| Tool | Finds without a network |',
	// What it does not do.
	'| `none` (the flags failed their test) |',
	'- Two things stay as they are: a draft that you have not sent',
	'- Prowess does not look at what goes over a connection.',
];
