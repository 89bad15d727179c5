/** Words of a text that carry its meaning, in English and German, each cut to its stem. Deterministic, and the same on every machine. */

const STOP_WORDS = new Set(
	`a about after all also am an and any are as at be because been before being but by can could did do does doing done for from
	get go had has have having he her here him his how i if in into is it its just let like made make many may me more most much
	must my need new no not now of off on one only or other our out over please put say see she should so some such take than that
	the their them then there these they thing this those to too up us use used using very want was way we were what when where
	which while who why will with without would yes you your
	aber alle allem allen aller alles als also am an auch auf aus bei beim bin bis bist bitte da damit dann das dass dein deine dem
	den denn der des die dies diese diesem diesen dieser dieses doch dort du durch ein eine einem einen einer eines er es etwas
	euch fur gibt hab habe haben hat hier ich ihr ihre im in ins ist ja jede jeder jedes jetzt kann kein keine konnen man mein meine
	mich mir mit muss nach nicht noch nun nur ob oder schon sehr sein seine sich sie sind so soll sollen sollte uber um und uns
	unser unsere unter vom von vor war warum was weil welche welcher welches wenn wer werden wie wieder will wir wird wo wollen
	wurde zu zum zur`.split(/\s+/),
);

/** Longest first: the first that fits is cut off. */
const ENDINGS = [
	'ierungen', 'ierung', 'lichen', 'liche', 'ations', 'ation', 'ungen', 'ments', 'lich', 'ment', 'heit', 'keit', 'ings', 'ing', 'ung', 'ern', 'ies', 'est',
	'ers', 'ed', 'er', 'en', 'es', 'em', 'ly', 'te', 's', 'e', 'n', 't', 'y',
]; // prettier-ignore
/** Fewest letters that must remain of a word whose ending is cut off. */
const LEAST_STEM = 4;

/** Stems in their order, without those of words that only join others. A text of nothing else keeps them all. */
export function listStems(text: string): readonly string[] {
	return tellingWords(text).map(cutToStem);
}

/** The same words with their endings. */
export function tellingWords(text: string): readonly string[] {
	const words = splitPlainWords(text);
	const telling = words.filter((word) => !STOP_WORDS.has(word) && (word.length > 1 || /\d/.test(word)));
	return telling.length === 0 ? words : telling;
}

export function cutToStem(word: string): string {
	const ending = ENDINGS.find((each) => word.endsWith(each) && word.length - each.length >= LEAST_STEM);
	return ending === undefined ? word : word.slice(0, -ending.length);
}

/** In lower case and without accents; a name in camel case is its parts and itself. */
function splitPlainWords(text: string): readonly string[] {
	const parts = text.matchAll(/[\p{L}\p{N}]+/gu);
	return [...parts].flatMap(([word]) => {
		const pieces = word.split(/(?<=\p{Ll})(?=\p{Lu})/u);
		return [...(pieces.length > 1 ? pieces : []), word].map(normalizeWord);
	});
}

function normalizeWord(word: string): string {
	return word.toLowerCase().replaceAll('ß', 'ss').normalize('NFKD').replaceAll(/\p{M}/gu, '');
}
