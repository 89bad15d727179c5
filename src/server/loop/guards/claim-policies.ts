/** The last answer of a turn against what happened in it (S2-19): a claim that nothing bears out, a step that was only announced. */
import { cutText } from '../../../base/text/one-line.ts';
import { textForUser } from '../../../protocol/errors/error-text.ts';
import { ProwessError } from '../../../protocol/errors/errors.ts';
import type { Notice } from '../../../protocol/thread/items.ts';
import { hasPlainWord, readFirstWord, readPlainWords, toWordSet } from '../../turn/plain-words.ts';
import { asksSomething } from '../../turn/question.ts';
import { asOpError } from '../calls/perform-call.ts';
import { judgeAnnouncedStep } from './announced-step.ts';
import { type Claim, claimsIn } from './claims.ts';
import type { Receipts } from './receipts.ts';
import type { RoundPolicy } from './round-policies.ts';

const CLAIM_CHARS = 200;

/** Notice under an answer with a claim that nothing bears out. */
export function createUnprovenNotice(sentence: string): Notice {
	const claim = cutText(sentence, CLAIM_CHARS);
	const error = asOpError(
		new ProwessError('CLAIM_UNPROVEN', `no result shows what the answer says: ${claim}`, { claim }),
	);
	return { level: 'warning', text: textForUser(error, (template) => template), actions: ['confirmClaim'], error };
}

/** `request`: what the user wrote. */
export function claimPolicies(request: string, receipts: Receipts): readonly RoundPolicy[] {
	return [unprovenClaims(request, receipts), judgeAnnouncedStep(request)];
}

/**
 * After an order the model is asked once about a claim that nothing bears out; what is claimed again is marked for the user.
 * After anything else it is marked at once: who asks something wants nothing done, and a model that is asked again may do it.
 */
function unprovenClaims(request: string, receipts: Receipts): RoundPolicy {
	const isOrder = givesOrder(request);
	const wantsWords = (asksSomething(request) || asksForText(request)) && !ordersBesideAsking(request);
	const isDraft = asksForDraft(request);
	const mayOnlyLook = LOOKING_ORDERS.has(readFirstWord(request, BEFORE_ORDERS));
	let mayAsk = isOrder;
	return ({ calls, text }) => {
		const isOfWork = isOrder || !(wantsWords || receipts.haveReadChanges);
		const isLooked = mayOnlyLook && receipts.haveLooked;
		const claims = (calls.length > 0 ? [] : claimsIn(text, { isOfWork })).filter(
			// A text that was ordered speaks for whoever sends it.
			({ kind, paths }) => (!isDraft || paths.length > 0) && (kind !== 'effect' || !isLooked),
		);
		const [claim] = receipts.unproven(claims);
		if (claim === undefined) {
			return undefined;
		}
		if (!mayAsk) {
			return { kind: 'done', unproven: claim.sentence };
		}
		mayAsk = false;
		return { kind: 'again', saying: noSuchEffect(claim, receipts.summary), doubted: claim.sentence };
	};
}

/** Plainly wants something done: begins with the verb for it. In doubt it does not. */
function givesOrder(request: string): boolean {
	return !asksSomething(request) && !asksForText(request) && ORDERS.has(readFirstWord(request, BEFORE_ORDERS));
}

/** "Read a.ts, edit b.ts and run the tests", "Can you fix this?": also wants something done. In doubt, what is claimed is marked. */
function ordersBesideAsking(request: string): boolean {
	const [opening = '', ...clauses] = request.split(CLAUSE_JOINTS);
	if (SHOWING_VERBS.has(readFirstWord(opening, POLITE_WORDS))) {
		return clauses.some((clause) => ORDERS.has(readFirstWord(clause, BEFORE_ORDERS)));
	}
	const [asked = '', asker = ''] = readPlainWords(opening);
	return ASKED_TO.has(asked) && ASKED_PERSONS.has(asker) && ORDERS.has(readFirstWord(opening, BEFORE_ASKED_ORDERS));
}

/** A full stop within a name, as in `add.test.ts`, ends no clause. */
const CLAUSE_JOINTS = /[,;:\n]|\.(?:\s|$)|\b(?:and|then|und|dann)\b/;
const ASKED_TO = toWordSet('can could would will kannst könntest würdest');
const ASKED_PERSONS = toWordSet('you du');
const BEFORE_ASKED_ORDERS = toWordSet('can could would will you please kannst könntest würdest du bitte');

/** Words before an order. */
const BEFORE_ORDERS = toWordSet('please bitte now then ok okay and jetzt und dann next');

const ORDERS = toWordSet(
	'add apply bump change clean commit convert create delete deploy edit extract fix format generate implement',
	'install merge migrate move open patch post publish push rebase refactor remove rename repair replace restart',
	'restore revert run save schedule send set split start stop test uninstall update upgrade write make build',
	'execute rewrite',
	'füg füge änder ändere erstell erstelle leg lege lösch lösche entfern entferne beheb behebe reparier',
	'repariere benenn benenne verschieb verschiebe ersetz ersetze schreib schreibe installier installiere',
	'starte führ führe committ committe pushe sende schick schicke aktualisier aktualisiere pass passe',
	'bau baue implementier implementiere formatier formatiere mach mache stell stelle poste',
);

/** "Run `git status`" is done without changing anything. */
const LOOKING_ORDERS = toWordSet('run execute open führ führe öffne');

/** Wants words to read: what the answer says in them is no report of the agent, unless they go into a file. */
function asksForText(request: string): boolean {
	return (
		asksForDraft(request) ||
		SHOWING_VERBS.has(readFirstWord(request, POLITE_WORDS)) ||
		(hasPlainWord(request.slice(0, LONGEST_TEXT_OPENING), VERBS_FOR_TEXT) &&
			hasPlainWord(request, KINDS_OF_TEXT) &&
			TEXTS.test(request))
	);
}

const POLITE_WORDS = toWordSet('please bitte');

const SHOWING_VERBS = toWordSet(
	'show list tell summarize summarise review compare translate suggest read check look find zeig zeige',
	'liste nenn nenne erzähl erzähle fass fasse prüf prüfe lies vergleich vergleiche übersetz übersetze finde',
	'such suche',
);

/** "Write a tweet": words, unless a file or code is to be written. */
function asksForDraft(request: string): boolean {
	if (!DRAFTING_VERBS.has(readFirstWord(request, POLITE_WORDS))) {
		return false;
	}
	// The subject of a text may be code.
	const [what = ''] = request.split(/\s(?:about|on|for|to|über|zu|für|an)\s/iu);
	return !/[\w-]\/|\.\w{1,4}\b|`/u.test(request) && !CODE_TO_WRITE.test(what);
}

const DRAFTING_VERBS = toWordSet('write draft compose schreib schreibe verfass verfasse entwirf formulier formuliere');

const CODE_TO_WRITE =
	/(?<![\p{L}])(?:tests?|specs?|functions?|methods?|class(?:es)?|scripts?|modules?|components?|files?|code|migrations?|quer(?:y|ies)|endpoints?|hooks?|configs?|programs?|it|das|funktion(?:en)?|methoden?|klassen?|skripte?|module?|komponenten?|dateien?|migrationen?|abfragen?|programme?)(?![\p{L}])/iu;

/** Words of `TEXTS`, which is not compiled without one of each. */
const VERBS_FOR_TEXT = toWordSet(
	'write draft compose give prepare create make generate schreib schreibe entwirf verfass verfasse erstell erstelle formulier',
	'formuliere',
);
const KINDS_OF_TEXT = toWordSet(
	'description release changelog commit summary report plan todo outline story stories beschreibung versionshinweise',
	'zusammenfassung bericht aufgabenliste explanation review announcement email mail post',
);
/** Longer than what stands before the verb of `TEXTS`, with it. */
const LONGEST_TEXT_OPENING = 50;

const TEXTS =
	/^[^.\n]{0,30}\b(?:write|draft|compose|give me|prepare|create|make|generate|schreibe?|entwirf|verfasse?|erstelle?|formuliere?)\b[^.\n]{0,40}\b(?:description|release notes?|changelog(?: entry)?|commit message|summary|report|plan|todo(?: list)?|outline|story|stories|beschreibung|versionshinweise|zusammenfassung|bericht|aufgabenliste|commit-nachricht|explanation|review|announcement|email|e-mail|post)\b(?!.*(?:\/|\.md|\bfile\b|\bdatei\b|\bcommit it\b))/iu;

function noSuchEffect({ sentence }: Claim, summary: string): string {
	const recorded = summary === '' ? '' : ` Recorded in this turn: ${summary}.`;
	return `You wrote: "${sentence}" No result of a call shows this.${recorded} Do it if it was asked for, or say that it was not done. Your next answer replaces this one, so write all of it.`;
}
