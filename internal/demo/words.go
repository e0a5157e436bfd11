package demo

import (
	"math/rand/v2"
	"strings"
)

// common are the words that hold sentences together; a text is mostly made of them.
var common = strings.Fields(`the a to of and in is for when that it on with be as not are this by from we an at or if after
	should can has have does which all but one so their no more only than then some other into over out up before`)

// terms are the words of the trade, by and large the more frequent first.
var terms = strings.Fields(`user page error list export import login report button search filter account invoice order table
	cache request answer payment message upload file image profile setting option field form label story team board column
	chart report alert email token session password role permission limit quota retry timeout queue worker job schedule
	database index query migration backup restore replica cluster node deploy release branch commit build test pipeline
	coverage fixture mock browser mobile tablet desktop keyboard shortcut menu dialog modal panel sidebar header footer
	layout theme colour font icon avatar badge tooltip link anchor redirect cookie consent locale language translation
	currency price discount coupon cart checkout shipping address country region timezone calendar date range interval
	reminder notification digest webhook payload signature header parser encoder decoder stream buffer memory leak crash
	trace log metric dashboard threshold latency throughput load balancer proxy certificate renewal domain subscription
	plan trial upgrade downgrade refund receipt tax ledger balance transfer statement audit policy retention archive
	deletion anonymous guest invite onboarding tutorial feedback survey comment mention thread reply reaction attachment
	preview thumbnail document template workspace project milestone estimate velocity burndown roadmap backlog sprint
	customer vendor supplier warehouse stock barcode scanner printer ticket support agent escalation incident outage
	rollback hotfix regression flake duplicate orphan stale missing broken slow wrong empty invalid expired unknown`)

// verbs begin the names of stories.
var verbs = strings.Fields(`add fix remove rename show hide speed-up rework split merge validate document translate support
	prevent allow log measure cache retry migrate upgrade clean-up investigate design test restrict encrypt export import`)

var (
	onsets  = strings.Fields("b br c ch cl cr d dr f fl g gl gr h j k kl l m n p pl pr qu r s sc sh sk sl sp st t th tr v w z")
	vowels  = strings.Fields("a e i o u ai ea io ou")
	endings = strings.Fields("n r s t l m nd rk st x ct ble ter ner ron lis mar ven dex tis lor")
)

// vocabularySize is how many different words texts are made of.
const vocabularySize = 8000

// vocabulary makes the words of a seed: the known ones first, then made-up names as every
// company has thousands of.
func vocabulary(r *rand.Rand) []string {
	words := make([]string, 0, vocabularySize)
	seen := map[string]bool{}
	add := func(w string) {
		if !seen[w] {
			seen[w] = true
			words = append(words, w)
		}
	}
	for _, list := range [][]string{common, terms, verbs} {
		for _, w := range list {
			add(w)
		}
	}
	for len(words) < vocabularySize {
		var w strings.Builder
		for range 1 + r.IntN(2) {
			w.WriteString(pick(r, onsets))
			w.WriteString(pick(r, vowels))
		}
		w.WriteString(pick(r, endings))
		add(w.String())
	}
	return words
}

func pick[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }
