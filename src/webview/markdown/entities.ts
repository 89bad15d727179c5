/** Character references in Markdown text. Only the usual names; an unknown one is shown as it was written. */
const NAMED_ENTITIES: Readonly<Record<string, string>> = {
	amp: '&',
	lt: '<',
	gt: '>',
	quot: '"',
	apos: "'",
	nbsp: '\u00a0',
	copy: '©',
	reg: '®',
	trade: '™',
	hellip: '…',
	mdash: '—',
	ndash: '–',
	lsquo: '‘',
	rsquo: '’',
	ldquo: '“',
	rdquo: '”',
	larr: '←',
	rarr: '→',
	uarr: '↑',
	darr: '↓',
	times: '×',
	middot: '·',
	bull: '•',
	deg: '°',
	plusmn: '±',
	le: '≤',
	ge: '≥',
	ne: '≠',
	check: '✓',
};

export function decodeEntities(text: string): string {
	return text.includes('&') ? text.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|(\w{2,8}));/g, decodeEntity) : text;
}

function decodeEntity(whole: string, decimal?: string, hex?: string, name?: string): string {
	if (name !== undefined) {
		return (Object.hasOwn(NAMED_ENTITIES, name) ? NAMED_ENTITIES[name] : undefined) ?? whole;
	}
	const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number.parseInt(decimal, 10);
	const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
	return isCharacter ? String.fromCodePoint(code) : '\ufffd';
}
