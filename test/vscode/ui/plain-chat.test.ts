/**
 * Runs the stories that need a chat with a scripted model and no settings of their own. They share a workbench, because
 * opening one takes seconds. They do not set it back for each other as `one-window.ts` does, because that would take
 * longer for ten short stories than opening another workbench. So each begins a thread of its own, and looks at no
 * file, mode or notice that another one may have left.
 */
import { openScriptedChat, type ScriptedChat } from '../harness/scripted-chat.ts';
import { dangerousApproval } from './plain-chat/approval-danger.ts';
import { approvalForTheTurn } from './plain-chat/approval-turn.ts';
import { besideATurn } from './plain-chat/beside-a-turn.ts';
import { drafts } from './plain-chat/drafts.ts';
import { firstHour } from './plain-chat/first-hour.ts';
import { questionsOfAgents } from './plain-chat/questions-of-agents.ts';
import { keysInMessages } from './plain-chat/keys-in-messages.ts';
import { retryTakenBack } from './plain-chat/retry-taken-back.ts';
import { severalApprovals } from './plain-chat/several-approvals.ts';
import { subAgents } from './plain-chat/sub-agents.ts';

describe('In a chat', () => {
	let scripted: ScriptedChat;
	before(async () => {
		scripted = await openScriptedChat();
	});
	after(() => scripted?.close());

	const plain = () => scripted;
	dangerousApproval(plain);
	approvalForTheTurn(plain);
	severalApprovals(plain);
	questionsOfAgents(plain);
	keysInMessages(plain);
	retryTakenBack(plain);
	subAgents(plain);
	besideATurn(plain);
	drafts(plain);
	firstHour(plain);
});
