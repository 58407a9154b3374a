// Three lines, and each network guesses more characters than who always says " ", which is wrong in more than 80 %.
def errors = (new File(basedir, 'build.log').text =~ /(?m)(standard|SAM|penalty) +training loss [0-9.]+ +test error ([0-9.]+) %/).collect { it[2] as double }
assert errors.size() == 3
errors.each { assert it < 75 }
// Each minimum was measured: the Hessian of a task without images, through attention, to 1 %.
def curvature = (new File(basedir, 'build.log').text =~ /top eigenvalue (\S+), residual (\S+)/).collect { [it[1] as double, it[2] as double] }
assert curvature.size() == 3
curvature.each { assert it[0] > 0 && it[1] <= 0.02 * it[0] }
true
