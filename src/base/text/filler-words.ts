/** Words that only join others, in English and German: they say nothing of what a text is about. In lower case, without accents. */
const FILLER_WORDS: ReadonlySet<string> = new Set(
	`a about after all also am an and any are as at be because been before being between both but by can could did do does doing
	done during each every few for from get go had has have having he her here him his how i if in into is it its just let like
	made make many may me might more most much must my need new no not now of off on one only or other our out over own per please
	put say see shall she should so some such take than that the their them then there these they thing this those to too up us
	use used using very via want was way we were what when where whether which while who whose why will with within without would
	yes you your
	aber alle allem allen aller alles als also am an ans auch auf aus bei beim bin bis bist bitte da dabei damit dann daran darauf
	das dass dein deine deinen deiner dem den denn der deren des dessen die dies diese diesem diesen dieser dieses doch dort du
	durch ein eine einem einen einer eines er es etwas euch fur ganz gegen gibt hab habe haben hat hatte hier ich ihr ihre ihren im
	in ins ist ja jede jedem jeden jeder jedes jetzt kann kannst kein keine keinen konnen konnte konntest man mein meine meinen
	meiner mich mir mit mochte mochten muss mussen nach nicht noch nun nur ob oder ohne schon sehr sein seine sich sie sind so soll
	sollen sollte um und uns unser unsere unseren unserer unter vom von vor war waren warum was weil welche welchem welchen welcher
	welches wenn wer werde werden wie wieder will wir wird wo wollen wurde wurden zu zum zur uber`.split(/\s+/),
);

export function isFillerWord(word: string): boolean {
	// Plain words, which are most, need not be taken apart.
	return FILLER_WORDS.has(/^[a-z]*$/.test(word) ? word : word.normalize('NFKD').replaceAll(/\p{M}/gu, ''));
}
