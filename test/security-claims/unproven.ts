/** Beginnings of paragraphs of docs/security.md that promise nothing a spec could prove. */
export const unproven: readonly string[] = [
	// What it does not do.
	'- Prowess does not look at what goes over a connection.',
];
