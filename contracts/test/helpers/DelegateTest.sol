// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Effects} from "./Effects.sol";
import {TreasuryDelegateFixture} from "./TreasuryDelegateFixture.sol";
import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {TestToken} from "script/local/TestToken.sol";
import {TreasuryDelegate} from "src/TreasuryDelegate.sol";
import {IStablecoinDelegate} from "src/interfaces/IStablecoinDelegate.sol";
import {IStablecoinDelegateAdmin} from "src/interfaces/IStablecoinDelegateAdmin.sol";
import {CallbackToken} from "test/mocks/CallbackToken.sol";

/// @title DelegateTest
/// @notice Shared by the tests of a stablecoin delegate's functions. Common functions are tested on both kinds of
/// delegate: {forEachDelegate} runs a test with `delegate`, `issuer`, `ownID`, `ownToken` and the custodies of the
/// treasury delegate, then with those of a balance-sheet delegate.
abstract contract DelegateTest is TreasuryDelegateFixture, Effects {
    bytes32 internal ownID;
    TestToken internal ownToken;
    address internal cold = makeAddr("cold storage");
    address internal second = makeAddr("second issuer admin");

    modifier forEachDelegate() {
        uint256 snapshot = vm.snapshotState();
        _;
        vm.revertToState(snapshot);
        _selectBalanceSheet();
        _;
    }

    function setUp() public virtual override {
        super.setUp();
        ownID = trsy;
        ownToken = TestToken(address(treasury));
    }

    function _selectBalanceSheet() private {
        // Tests only call functions that both kinds have.
        delegate = TreasuryDelegate(address(usdc.delegate));
        issuer = usdc.issuerAdmin;
        ownID = usdc.id;
        ownToken = usdc.token;
        rwaCustody = usdc.custody;
        stablecoinCustody = usdc.custody;
    }

    /// Watches every view that both kinds of delegate have, for the accounts of the fixture.
    function _watchDelegate() internal {
        _watchDelegate(abi.encodeCall(delegate.coreSwap, ()));
        _watchDelegate(abi.encodeCall(delegate.stablecoinID, ()));
        _watchDelegate(abi.encodeCall(delegate.stablecoinAddress, ()));
        _watchDelegate(abi.encodeCall(delegate.balanceSheetCustodyAddress, ()));
        _watchDelegate(abi.encodeCall(delegate.stablecoinCustodyAddress, ()));
        _watchDelegate(abi.encodeCall(delegate.paused, ()));
        _watchDelegate(abi.encodeCall(delegate.emergencyPaused, ()));
        _watchDelegate(abi.encodeCall(delegate.issuerPaused, ()));
        _watchDelegate(abi.encodeCall(delegate.getRWAColdStorageAddresses, ()));
        _watchDelegate(abi.encodeCall(delegate.getStablecoinColdStorageAddresses, ()));
        bytes32[3] memory roles = [bytes32(0), delegate.CORE_SWAP_CONTRACT(), delegate.PAUSE_ROLE()];
        for (uint256 i = 0; i < roles.length; ++i) {
            _watchDelegate(abi.encodeCall(delegate.getRoleMembers, (roles[i])));
        }
        address[6] memory accounts = [issuer, second, cold, stranger, alice, rwaCustody];
        for (uint256 i = 0; i < accounts.length; ++i) {
            _watchDelegate(abi.encodeCall(delegate.custodyAccepted, (accounts[i])));
            _watchDelegate(abi.encodeCall(delegate.issuerAdmins, (accounts[i])));
            _watchDelegate(abi.encodeCall(delegate.blacklist, (accounts[i])));
            _watchDelegate(abi.encodeCall(delegate.custodyListing, (accounts[i])));
            _watchDelegate(abi.encodeCall(delegate.intakeCap, (accounts[i])));
            _watchDelegate(abi.encodeCall(delegate.rwaWhitelist, (accounts[i])));
            _watchDelegate(abi.encodeCall(delegate.stablecoinWhitelist, (accounts[i])));
        }
    }

    /// Watches the views of the treasury delegate's rates, and of the credits of all accounts that can have some.
    function _watchYield() internal {
        _watchDelegate(abi.encodeCall(delegate.firstRateDay, ()));
        _watchDelegate(abi.encodeCall(delegate.lastRatePostingDay, ()));
        _watchDelegate(abi.encodeCall(delegate.managementFee, ()));
        _watchDelegate(abi.encodeCall(delegate.maxDailyRate, ()));
        _watchDelegate(abi.encodeCall(delegate.maxFallbackRateSeconds, ()));
        for (uint256 day = DAY_ZERO - 2; day < DAY_ZERO + 5; ++day) {
            _watchDelegate(abi.encodeCall(delegate.dailyRates, (day)));
            _watchDelegate(abi.encodeCall(delegate.ratePosted, (day)));
        }
        address[4] memory accounts = [alice, bob, receiver, vault];
        for (uint256 i = 0; i < accounts.length; ++i) {
            _watchDelegate(abi.encodeCall(delegate.credits, (accounts[i])));
            _watchDelegate(abi.encodeCall(delegate.totalWithheldCredits, (accounts[i])));
            _watchDelegate(abi.encodeCall(delegate.getWithheldCredits, (accounts[i])));
            _watchDelegate(abi.encodeCall(delegate.yieldMultiplier, (accounts[i])));
            _watchDelegate(abi.encodeCall(delegate.lastAccrualDay, (accounts[i])));
        }
    }

    function _watchDelegate(bytes memory data) private {
        _watch(address(delegate), data);
    }

    function _expectDelegateAnswer(bytes memory data, bytes memory answer) internal {
        _expectAnswer(address(delegate), data, answer);
    }

    function _expectTokens(TestToken token, address account, uint256 balance) internal {
        _expectAnswer(address(token), abi.encodeCall(token.balanceOf, (account)), balance);
    }

    /// Makes a call to the delegate, and asserts that it has exactly the stated effects.
    function _assertDelegateEffects(address caller, bytes memory data) internal {
        _assertEffects(caller, address(delegate), data);
    }

    /// Asserts that the call reverts for a caller that is not an issuer admin.
    function _assertOnlyIssuerAdmin(address caller, bytes memory data) internal {
        vm.assume(!delegate.issuerAdmins(caller));
        _assertReverts(caller, data, abi.encodePacked(IStablecoinDelegateAdmin.NotIssuerAdmin.selector));
    }

    /// Asserts that the call reverts for a caller without the role, and that the error names the role.
    function _assertOnlyRole(bytes32 role, address caller, bytes memory data) internal {
        vm.assume(!delegate.hasRole(role, caller));
        _assertReverts(caller, data, _unauthorized(caller, role));
    }

    /// Asserts that an administrator's call reverts in the middle of a settlement, and passes outside. The administrator
    /// is a hostile token, which calls during its transfer.
    function _assertAdministratorCannotReenter(bytes memory data) internal {
        CallbackToken token = new CallbackToken(18);
        token.mint(alice, 1e18);
        vm.prank(alice);
        token.approve(address(delegate), 1e18);
        _uncap(address(delegate), address(token));
        vm.prank(issuer);
        delegate.whitelistRWA(address(token), true);
        vm.prank(admin);
        delegate.grantRole(0x00, address(token));
        bytes memory settlement = abi.encodeCall(
            delegate.deployStablecoin,
            (IStablecoinDelegate.DelegateParams({
                    user: alice,
                    receiver: alice,
                    vault: vault,
                    protocolFeeAmt: 0,
                    lpFeeAmt: 0,
                    assetInAddress: address(token),
                    assetInAmount: 1e18,
                    assetOutAddress: address(treasury),
                    assetOutAmount: 1e18
                }))
        );

        token.setCallback(address(delegate), data);
        bytes4 reentrant = ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector;
        _assertReverts(address(core), settlement, abi.encodePacked(reentrant));

        token.setCallback(address(0), "");
        (bool success,) = _try(address(core), settlement);
        assertTrue(success, "settlement");
        (success,) = _try(address(token), data);
        assertTrue(success, "call outside of a settlement");
    }

    function _unauthorized(address account, bytes32 role) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IAccessControl.AccessControlUnauthorizedAccount.selector, account, role);
    }
}
