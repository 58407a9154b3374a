/**
 * Studies: what is to be found out, and which trials are wanted for it. A search is a function of the outcomes so far, so that it can
 * be stopped anywhere and taken up again, and tested without training anything.
 */
package io.polder.study.search;
