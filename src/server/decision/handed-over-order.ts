/** An order to somebody who works on a matter beside this thread. */
import { toWordSet } from '../turn/plain-words.ts';
import { beginsWith, hasAnyWord, type MessageWord } from './message-words.ts';
import { DESCRIBING_WORDS, LOOKING_VERBS } from './order-words.ts';

const SUB_AGENTS = toWordSet(
	'sub-agent subagent sub-agents subagents sub-agenten subagenten unteragent unteragenten unter-agent unter-agenten',
);
const OTHER_AGENT = toWordSet('another separate second own anderen zweiten eigenen anderer zweiter eigener');
const SOME = toWordSet(
	'a an another separate two three several own einen einem ein zwei drei eigenen anderen anderer zweiter eigener',
);
/** "Have an agent review it" hands work over; "start an agent" may be about a program of that name. */
const CAUSATIVE_VERBS = toWordSet('have let lass lasse');
/** Ends of a sentence that says how something is to be. */
const STATE_ENDS = toWordSet('sein werden haben können bleiben erscheinen');
const HANDING_VERBS = toWordSet(
	'use spawn start launch have let give hand delegate assign create run send ask put nutze nutz starte start lass gib beauftrage delegiere schick schicke verwende nimm setze setz erstelle',
);
/** Words after the agent when it is one, and not a part of a program ("a sub-agent class"). */
const AFTER_AGENT = toWordSet(
	'to that which who for over on and while with in der die das den dem des mit um für los an eine einen ein damit zu soll should shall darauf alle',
);
const WORK_VERBS = toWordSet(
	'investigate research write review find look check compare analyze analyse explore go read collect summarize audit fix test document translate refactor untersuchen prüfen suchen schreiben bewerten vergleichen',
);
const INQUIRY_VERBS = toWordSet(
	'research investigate collect gather analyze analyse explore study review audit go look find compare read summarize recherchiere sammle untersuche analysiere geh gehe sieh suche vergleiche prüfe lies',
);
const BESIDE = ['in the background', 'im hintergrund', 'nebenbei', 'nebenher', 'while i', 'während ich'].map((words) =>
	words.split(' '),
);

/** `words`: a single sentence. */
export function isHandedOver(words: readonly MessageWord[]): boolean {
	return namesSubAgent(words) || isInquiryBeside(words);
}

function namesSubAgent(words: readonly MessageWord[]): boolean {
	const at = words.findIndex(
		({ word }, index) =>
			SUB_AGENTS.has(word) ||
			((word === 'agent' || word === 'agenten') &&
				(OTHER_AGENT.has(words[index - 1]?.word ?? '') || CAUSATIVE_VERBS.has(words[0]?.word ?? ''))),
	);
	if (at < 1) {
		return false;
	}
	const isSome = [words[at - 1], words[at - 2]].some((each) => SOME.has(each?.word ?? ''));
	const next = words[at]?.isPauseBehind === true ? undefined : words[at + 1]?.word;
	const isWhole = next === undefined || AFTER_AGENT.has(next) || WORK_VERBS.has(next);
	const first = words[0]?.word ?? '';
	// "Ein zweiter Agent soll die Logs ansehen", and not "… soll angezeigt werden".
	const isActing = next === 'soll' && !STATE_ENDS.has(words.at(-1)?.word ?? '');
	const isSubject = (at <= 1 && (next === 'should' || next === 'shall' || next === 'soll')) || (at === 2 && isActing);
	const isOrdered = HANDING_VERBS.has(first) || INQUIRY_VERBS.has(first) || isSubject;
	return isSome && isWhole && isOrdered && !(first === 'create' && next === 'and');
}

function isInquiryBeside(words: readonly MessageWord[]): boolean {
	const at = words.findIndex((_, index) => BESIDE.some((beside) => beginsWith(words, beside, index)));
	if (at === -1 || hasAnyWord(words, DESCRIBING_WORDS)) {
		return false;
	}
	const verb =
		at > 0
			? words[0]?.word
			: words.find(({ word }, index) => index > 0 && (INQUIRY_VERBS.has(word) || LOOKING_VERBS.has(word)))?.word;
	return verb !== undefined && INQUIRY_VERBS.has(verb);
}
