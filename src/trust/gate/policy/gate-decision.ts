/** Input of the gate for one op, and its decision. */
import type { AllowedBy } from '../../../protocol/approvals/approvals.ts';
import type { PermissionLevel } from '../../../protocol/ops/permission-level.ts';
import type { ErrorCode } from '../../../protocol/errors/errors.ts';
import type { OpDef } from '../../../protocol/ops/define-op.ts';
import type { SkillTools } from '../../../protocol/ops/skill-tools-left.ts';
import type { Text } from '../../../protocol/text/text.ts';
import type { Mode } from '../../../protocol/thread/thread.ts';
import type { AllowedBeforehand, Caller } from '../../../contract/ops/caller.ts';
import type { ReadText, Receiver } from '../../../contract/labels.ts';
import type { ApprovalMode } from '../../../contract/ports/ports.ts';
import type { OpTarget } from '../../../contract/ops/target.ts';
import type { AutomaticFrom } from './question.ts';
import type { AllowRule } from './rules/allow-rule.ts';
import type { StrictRules } from './rules/strict-rule.ts';

export type GateDecision =
	| {
			readonly kind: 'allow';
			readonly rule: string;
			readonly reason: Text;
			/** Rule or grant that spared the person a question; absent: no question arose. */
			readonly allowedBy?: AllowedBy;
	  }
	| {
			readonly kind: 'ask';
			readonly rule: string;
			readonly reason: Text;
			/** True when the reason says no more than the kind of act does. */
			readonly isReasonUsual: boolean;
			/** Rule that "always" would save; null: "always" is not offered. */
			readonly pattern: string | null;
			/** Rules beside it that "always" would save as well, from the narrowest on. */
			readonly wider: readonly string[];
			/** Scope of an answer for the whole thread, in words; null: the answer counts once only. */
			readonly threadScope: Text | null;
			/**
			 * True when an answer for the turn would cover the act; false for everything that the level Auto asks
			 * about.
			 */
			readonly isTurnOffered: boolean;
			/** True when one yes to several acts may cover this one; false where a person is asked at every level. */
			readonly isPartOfAll: boolean;
			/** Narrowest permission level at which nobody would be asked; null: at every level somebody is. */
			readonly passesAt: PermissionLevel | null;
			/** Pairs of texts and receivers that an answer for the thread covers, too; absent: nothing leaves. */
			readonly flow?: Flow & {
				/** The first of the texts in words, for the links of the question to their rows. */
				readonly shown: readonly { readonly said: Text; readonly opId: string }[];
				/** True where nothing else asks, so that an answer for the thread is about the flow alone. */
				readonly isOnly: boolean;
			};
	  }
	| {
			readonly kind: 'deny';
			readonly code: ErrorCode;
			readonly rule: string;
			readonly reason: Text;
			/** Only because nobody can be asked; `automatic`: from which level on a session that approves by itself would allow it. */
			readonly unattended?: { readonly automatic: AutomaticFrom };
	  };

/** Texts that a model has read, and where it would send something after that. */
export interface Flow {
	readonly texts: readonly ReadText[];
	readonly receivers: readonly Receiver[];
}

export interface GateInput {
	readonly op: string;
	/** Params as the op declares them; absent: not known. */
	readonly params?: unknown;
	readonly def: Pick<OpDef, 'risk' | 'effect' | 'callers'>;
	readonly caller: Caller;
	readonly targets: readonly OpTarget[];
	readonly mode: ApprovalMode;
	/** Mode that limits the agent and its capabilities in the thread; absent: no limit besides the rules below. */
	readonly threadMode?: Mode;
	/** Tools that skills leave to the thread, and to the threads it works for; absent: everything. */
	readonly skillTools?: readonly SkillTools[];
	/** Chosen for the thread; how much of it counts, the rules below say. */
	readonly level: PermissionLevel;
	readonly rules: readonly AllowRule[];
	/** Rules by which the user and the workspace refuse, or want to be asked every time. */
	readonly strict: StrictRules;
	/** The workspace has several folders, and paths begin with the name of one. */
	readonly hasSeveralFolders: boolean;
	/** True when the person has allowed the op on this target for the thread. */
	isGranted(op: string, target: OpTarget): boolean;
	/** Rights that a person agreed to with the skills that the agent loaded in this turn; absent: none. */
	readonly loaded?: readonly AllowedBeforehand[];
	/** True when the person has allowed for this turn everything that the level Auto allows; absent: false. */
	readonly isTurnGranted?: boolean;
	/** Texts from outside or with secrets that the model of the thread has read; absent: none. */
	readonly texts?: readonly ReadText[];
	/** Returns the decision after these texts. Absent: they change none. */
	tighten?(input: GateInput, decision: GateDecision): GateDecision;
	/** Returns true when the person has allowed for the thread to send to the receiver after that text. Absent: never. */
	isFlowGranted?(text: ReadText, receiver: Receiver): boolean;
}
