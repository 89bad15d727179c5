/** The script of every page of ours but the chat, which does not wait for them. */
import '../protocol/text/without-eval.ts';
import { openCapabilities } from './capabilities/capabilities-view.tsx';
import { openLedgerPage } from './ledger/ledger-view.tsx';
import { openFace } from './open-face.ts';
import { openPage } from './page/open-page.tsx';
import { openTrace } from './trace/trace-view.tsx';

openFace({ capabilities: openCapabilities, page: openPage, ledger: openLedgerPage, trace: openTrace });
