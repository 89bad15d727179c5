/** An answer of a turn that announces a step and ends without making it (S2-19). */
import { asksSomething } from '../../turn/question.ts';
import type { RoundPolicy } from './round-policies.ts';

/** `request`: what the user wrote. The model is told once. */
export function judgeAnnouncedStep(request: string): RoundPolicy {
	let hasNudged = false;
	return ({ calls, text }) => {
		if (hasNudged || calls.length > 0 || !announcesStep(text, request)) {
			return undefined;
		}
		hasNudged = true;
		return { kind: 'again', saying: ANNOUNCED };
	};
}

const ANNOUNCED =
	'You announced a step and made no call, so nothing happened. Go on with what the user asked for, or say what the result is.';

/** Longer answers explain something; what they announce is a proposal. */
const MAX_ANNOUNCEMENT_CHARS = 600;

const WORK_VERB =
	'(?:look|check|read|open|search|run|edit|update|create|fix|write|examine|inspect|start|continue|implement|add|verify|find|view|list|explore|test|build|make (?:the|this|that|these|those|an?)|apply|change|modify|remove|delete|rename|refactor|investigate|analy[sz]e|review|install|commit|try)';

const announced = new RegExp(
	`^(?:(?:now|next|first|then|okay|ok|great|good|perfect|alright|so)[,:]? )*(?:let me|let['’]s|i['’]ll|i will|i['’]m going to|i am going to|i need to) (?:(?:now|first|next|start by|begin by|quickly|also|go ahead and|take a|have a|then|try to) ?)*(?:${WORK_VERB}|${WORK_VERB}ing|runn?ing|checking|reading)\\b`,
	'iu',
);

const WORK_INFINITIVE =
	'(?:an)?(?:schauen|sehen)|(?:durch)?lesen|prüfen|öffnen|suchen|ausführen|starten|bearbeiten|ändern|anpassen|erstellen|anlegen|schreiben|(?:hinzu|ein)fügen|beheben|korrigieren|reparieren|(?:um)?benennen|entfernen|löschen|installieren|committen|implementieren|testen|untersuchen|analysieren|machen';

/** "Ich werde" says nothing of what: the verb at the end does. A verb in front says it at once. */
const announcedDe = new RegExp(
	`^(?:(?:nun|jetzt|zuerst|als nächstes|dann|gut|okay)[,:]? )*(?:(?:ich werde|werde ich|lass mich) .*?(?:${WORK_INFINITIVE})[.:…]*$|(?:ich )?(?:schaue|lese|prüfe|öffne|suche|führe|bearbeite|ändere|erstelle|starte|sehe)(?: ich)?\\b)`,
	'iu',
);

/** A text behind the colon is the announced thing, so nothing is missing. */
const SAID_BEHIND_COLON = /:\s*\S/u;

const conditional =
	/\b(?:if|once|when|after you|before|unless|until|whenever|let me know|wait|await|remember|keep|should you|want|need you|wenn|falls|sobald|nachdem|bevor|möchte\w*|warte\w*|ob)\b/iu;

/** The user asked for words, not for work. */
const askedForPlan =
	/\b(?:plan|would you|how (?:do|would|will|can|should)|propos\w+|outline|explain|vorgehen|würdest|erkläre?|vorschlag\w*)\b/iu;

/**
 * An answer that announces a step and ends without making it: "Let me now run the tests." English and German. A question
 * of the user is answered by the sentences before it; a model that is told to go on would then do what nobody ordered.
 */
export function announcesStep(answer: string, prompt: string): boolean {
	const text = answer.trim();
	if (text.length > MAX_ANNOUNCEMENT_CHARS || text.endsWith('```') || text.endsWith('?')) {
		return false;
	}
	if (!mayAnnounce(text)) {
		return false;
	}
	const sentences = text.split(/(?<=[.!?])\s+|\n+/).filter((sentence) => sentence.trim() !== '');
	const last = sentences.at(-1)?.trim() ?? '';
	if (sentences.length > 1 && asksSomething(prompt)) {
		return false;
	}
	return (
		mayAnnounce(last) &&
		(announced.test(last) || announcedDe.test(last)) &&
		!SAID_BEHIND_COLON.test(last) &&
		!conditional.test(last) &&
		!askedForPlan.test(prompt)
	);
}

/** Words of which every announcement has one: without them, no pattern needs to be compiled. */
const ANNOUNCING_WORDS = ['let', 'will', "'ll", '’ll', 'going to', 'need to', 'ich ', 'lass mich'];

function mayAnnounce(sentence: string): boolean {
	const plain = sentence.toLowerCase();
	return ANNOUNCING_WORDS.some((words) => plain.includes(words));
}
