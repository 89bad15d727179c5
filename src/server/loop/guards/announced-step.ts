/** An answer of a turn that announces a step and ends without making it (S2-19). */
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
	'(?:look|check|read|open|search|run|edit|update|create|fix|write|examine|inspect|start|continue|implement|add|verify|find|view|list|explore|test|build|make|apply|change|modify|remove|delete|rename|refactor|investigate|analy[sz]e|review|install|commit|try)';

const announced = new RegExp(
	`^(?:(?:now|next|first|then|okay|ok|great|good|perfect|alright|so)[,:]? )*(?:let me|let['’]s|i['’]ll|i will|i['’]m going to|i am going to|i need to) (?:(?:now|first|next|start by|begin by|quickly|also|go ahead and|take a|have a|then|try to) ?)*(?:${WORK_VERB}|${WORK_VERB}ing|runn?ing|checking|reading)\\b`,
	'iu',
);

const announcedDe =
	/^(?:(?:nun|jetzt|zuerst|als nächstes|dann|gut|okay)[,:]? )*(?:ich (?:werde|schaue|lese|prüfe|öffne|suche|führe|bearbeite|ändere|erstelle|starte|sehe)\b|lass mich|werde ich|schaue ich|lese ich|prüfe ich|führe ich)/iu;

const conditional =
	/\b(?:if|once|when|after you|before|unless|until|whenever|let me know|wait|await|remember|keep|should you|want|need you|wenn|falls|sobald|nachdem|bevor|möchte\w*|warte\w*|ob)\b/iu;

/** The user asked for words, not for work. */
const askedForPlan =
	/\b(?:plan|would you|how (?:do|would|will|can|should)|propos\w+|outline|explain|vorgehen|würdest|erkläre?|vorschlag\w*)\b/iu;

/** An answer that announces a step and ends without making it: "Let me now run the tests." English and German. */
export function announcesStep(answer: string, prompt: string): boolean {
	const text = answer.trim();
	if (text.length > MAX_ANNOUNCEMENT_CHARS || text.endsWith('```') || askedForPlan.test(prompt)) {
		return false;
	}
	const last =
		text
			.split(/(?<=[.!?])\s+|\n+/u)
			.at(-1)
			?.trim() ?? '';
	return !last.endsWith('?') && !conditional.test(last) && (announced.test(last) || announcedDe.test(last));
}
